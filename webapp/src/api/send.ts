import { ApiError } from "./errors";

/** The message of a failure. */
export type Wording = (response: Response, body: string) => string;

/** As the specification words a failed call: "status: body". */
export const statusAndBody: Wording = ({ status, statusText }, body) =>
  `${status}: ${body || statusText}`;

/** Fails with an ApiError whose message `word` gives, unless a response is a success. */
export async function refuse(response: Response, word: Wording): Promise<void> {
  if (response.ok) return;
  const body = await response.text().catch(() => "");
  throw new ApiError(word(response, body), response.status, body);
}

/** What a call is sent with: a body, which makes it a POST, or nothing. */
interface Sent {
  readonly body?: object;
  readonly word?: Wording;
}

/**
 * A call of the public pages, which do without the client of the contract to stay small.
 * It either gives the response of a success or throws; it never retries.
 */
export async function send(path: string, { body, word = statusAndBody }: Sent = {}) {
  const response = await fetch(path, {
    credentials: "include",
    ...(body && {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  });
  await refuse(response, word);
  return response;
}
