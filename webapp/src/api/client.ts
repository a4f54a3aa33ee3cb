/**
 * The server's calls, typed from the contract. A call either gives the decoded
 * answer or throws; it never retries, redirects or notifies.
 */
import createFetchClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./schema.gen";
import { type ErrorMessage, statusAndBody, throwOnFailure } from "./send";

/** The shapes of the contract by name. */
export type Schemas = components["schemas"];

/** Turns a failed response into an ApiError with this message. */
export function rejectFailures(errorMessage: ErrorMessage = statusAndBody): Middleware {
  return { onResponse: ({ response }) => throwOnFailure(response, errorMessage) };
}

function createClient(errorMessage?: ErrorMessage) {
  const client = createFetchClient<paths>({ baseUrl: "/", credentials: "include" });
  client.use(rejectFailures(errorMessage));
  return client;
}

/** Calls that fail with "status: body". */
export const api = createClient();

/** The dashboard's calls, which fail with "status: statusText". */
export const dashboardApi = createClient(({ status, statusText }) => `${status}: ${statusText}`);

/** The body of a successful answer that the contract says is there. */
export function dataOf<T>({ data }: { data?: T }): T {
  if (data === undefined) throw new TypeError("the answer has no body");
  return data;
}
