import type { Schemas } from "./client";
import { ApiError } from "./errors";

/** What the server says to people about a failure. */
interface Problem {
  readonly message: string;
  /** Names the request to whoever looks after the server. */
  readonly requestId: string;
  /** What is wrong with which field of the request. */
  readonly fields?: Readonly<Record<string, string>> | undefined;
  /** Names a refusal that the page explains by itself. */
  readonly code?: Schemas["Error"]["code"];
}

/** The id under which the server knows a failed call; undefined where it never answered. */
export function referenceOf(error: unknown): string | undefined {
  return problemOf(error)?.requestId;
}

/** The server's own words about a failed call; undefined where it had none. */
export function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof ApiError)) return undefined;
  try {
    const { message, requestId, fields, code } = JSON.parse(error.body) as Partial<Problem>;
    return message && requestId ? { message, requestId, fields, code } : undefined;
  } catch {
    return undefined;
  }
}
