/** An answer that is not a success. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    /** The HTTP status. */
    readonly status: number,
    /** The answer's body as text; empty when there was none. */
    readonly body: string,
    /** How long the server asks to be left alone, in milliseconds. */
    readonly retryAfter?: number | undefined,
  ) {
    super(message);
  }
}

/** Whether an error says that nobody is signed in. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether an error says that the role of the account does not allow it. */
export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}
