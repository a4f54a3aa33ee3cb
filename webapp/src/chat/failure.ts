import { ApiError } from "../api/errors";
import { problemOf } from "../api/problem";
import { chatTexts } from "../content/chat";
import { formatTime } from "../content/dates";
import { fill } from "../content/fill";

interface Circumstances {
  readonly now: Date;
  /** Whether the browser has a connection. */
  readonly online: boolean;
  /** The address of the contact form. */
  readonly contactUrl: string;
}

/** What is said of an answer that did not come; with the reason, where the visitor can act on it. */
export function failureText(error: unknown, { now, online, contactUrl }: Circumstances): string {
  const wait = error instanceof ApiError && error.retryAfter;
  if (wait && problemOf(error)?.code === "tooManyConversations") {
    const time = formatTime(new Date(now.getTime() + wait));
    return fill(chatTexts.tooMany, { time, contactUrl });
  }
  return online ? chatTexts.difficulties : `${chatTexts.offline} ${chatTexts.difficulties}`;
}
