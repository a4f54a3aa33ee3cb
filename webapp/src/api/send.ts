import { ApiError } from "./errors";

/** The message of a failure. */
export type ErrorMessage = (response: Response, body: string) => string;

/** As the specification words a failed call: "status: body". */
export const statusAndBody: ErrorMessage = ({ status, statusText }, body) =>
  `${status}: ${body || statusText}`;

/** Throws an ApiError with this message unless a response is a success. */
export async function throwOnFailure(
  response: Response,
  errorMessage: ErrorMessage,
): Promise<void> {
  if (response.ok) return;
  const body = await response.text().catch(() => "");
  // The project's server names seconds.
  const retryAfter = 1000 * Number(response.headers.get("Retry-After")) || undefined;
  throw new ApiError(errorMessage(response, body), response.status, body, retryAfter);
}

/** What a call is sent with: a body, which makes it a POST, or nothing. */
interface SendOptions {
  readonly body?: object;
  readonly errorMessage?: ErrorMessage;
  readonly signal?: AbortSignal;
}

/**
 * A call of the public pages, which do without the client of the contract to stay small.
 * It either gives the response of a success or throws; it never retries.
 */
export async function send(
  path: string,
  { body, errorMessage = statusAndBody, signal }: SendOptions = {},
) {
  const response = await fetch(path, {
    credentials: "include",
    ...(signal && { signal }),
    ...(body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  await throwOnFailure(response, errorMessage);
  return response;
}
