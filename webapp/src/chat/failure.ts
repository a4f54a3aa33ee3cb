import { ApiError } from "../api/errors";
import { chatTexts } from "../content/chat";
import { formatTime } from "../content/dates";
import { fill } from "../content/fill";

/** From how long on, in milliseconds, the visitor hears until when the server asks to wait. */
const longWait = 60_000;

interface Circumstances {
  readonly now: Date;
  /** Whether the browser has a connection. */
  readonly online: boolean;
  /** The address of the contact form. */
  readonly contactUrl: string;
}

/** What is said of an answer that did not come; with the reason, where the visitor can act on it. */
export function failureText(error: unknown, { now, online, contactUrl }: Circumstances): string {
  const wait = error instanceof ApiError ? (error.retryAfter ?? 0) : 0;
  if (wait >= longWait) {
    const time = formatTime(new Date(now.getTime() + wait));
    return fill(chatTexts.tooMany, { time, contactUrl });
  }
  return online ? chatTexts.difficulties : `${chatTexts.offline} ${chatTexts.difficulties}`;
}
