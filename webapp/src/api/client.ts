/**
 * The server's calls, typed from the contract. A call either gives the decoded
 * answer or throws; it never retries, redirects or tells anybody.
 */
import createFetchClient, { type Middleware } from "openapi-fetch";
import { ApiError } from "./errors";
import type { components, paths } from "./schema.gen";

/** The shapes of the contract by name. */
export type Schemas = components["schemas"];

type Wording = (response: Response, body: string) => string;

const statusAndBody: Wording = ({ status, statusText }, body) => `${status}: ${body || statusText}`;

/** Fails with an ApiError whose message `word` gives. */
export function refuseFailures(word: Wording = statusAndBody): Middleware {
  return {
    async onResponse({ response }) {
      if (response.ok) return;
      const body = await response.text().catch(() => "");
      throw new ApiError(word(response, body), response.status, body);
    },
  };
}

function createClient(word?: Wording) {
  const client = createFetchClient<paths>({ baseUrl: "/", credentials: "include" });
  client.use(refuseFailures(word));
  return client;
}

/** Calls that fail with "status: body". */
export const api = createClient();

/** The dashboard's calls, which fail with "status: statusText". */
export const dashboardApi = createClient(({ status, statusText }) => `${status}: ${statusText}`);

/** The chat's calls, which fail with one fixed message. */
export const chatApi = createClient(() => "Failed to fetch chatbot response");

/** The body of a successful answer that the contract says is there. */
export function dataOf<T>({ data }: { data?: T }): T {
  if (data === undefined) throw new TypeError("the answer has no body");
  return data;
}
