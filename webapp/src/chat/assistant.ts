import type { Schemas } from "../api/client";
import { ApiError } from "../api/errors";
import { readEvents } from "../api/events";
import { send, throwOnFailure } from "../api/send";
import type { Progress } from "./state";

const failure = "Failed to fetch chatbot response";
const post = (path: string, body: object) => send(path, { body, errorMessage: () => failure });

/** Whether the server streams; a server without that is asked only once. */
let streams = true;

/** Whether an answer says that there is no such call. */
function isUnknown({ ok, status, headers }: Response): boolean {
  const streamed = headers.get("Content-Type")?.startsWith("text/event-stream");
  return status === 404 || status === 405 || (ok && !streamed);
}

/** Reads a streamed reply to its end; nothing if the connection was lost before. */
async function readReply(
  body: ReadableStream<Uint8Array>,
  onPart: Progress["onPart"],
): Promise<Schemas["ChatResponse"] | undefined> {
  let text = "";
  try {
    for await (const { name, data } of readEvents(body)) {
      const payload = JSON.parse(data);
      if (name === "error") {
        throw new ApiError(failure, payload.status, data, 1000 * payload.retryAfter || undefined);
      }
      if (name === "done") return payload;
      if (name !== "delta") continue;
      text += payload.text;
      onPart(text);
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
  }
  return undefined;
}

/** The reply as a stream; nothing where the server has none or the connection was lost. */
async function streamedReply(
  request: Schemas["ChatRequest"],
  { onPart, onReconnect }: Progress,
): Promise<Schemas["ChatResponse"] | undefined> {
  const response = await fetch("/api/chatbot/stream", {
    method: "POST",
    credentials: "include",
    headers: { "Content-Type": "application/json", Accept: "text/event-stream" },
    body: JSON.stringify(request),
  });
  if (isUnknown(response) || !response.body) {
    streams = false;
    return undefined;
  }
  await throwOnFailure(response, () => failure);
  const reply = await readReply(response.body, onPart);
  if (reply === undefined) onReconnect();
  return reply;
}

/**
 * Asks the assistant. When a streamed reply breaks off, it is asked for once more in one
 * piece: the server keeps it under the message's id, and counts nothing twice.
 */
export async function askAssistant(
  request: Schemas["ChatRequest"],
  progress: Progress,
): Promise<Schemas["ChatResponse"]> {
  const streamed = streams ? await streamedReply(request, progress) : undefined;
  if (streamed !== undefined) return streamed;
  const response = await post("/api/chatbot", request);
  return response.json();
}

/** Keeps what an answer was worth to the visitor. */
export async function rateReply(rating: Schemas["ReplyRating"]): Promise<void> {
  await post("/api/chatbot/rating", rating);
}

/** Reads a conversation back; nothing if there is none that this browser may read. */
export async function readBack(
  sessionId: string,
): Promise<readonly Schemas["ChatMessage"][] | undefined> {
  try {
    const response = await post("/api/chatbot/conversation", { sessionId });
    const conversation: Schemas["ChatConversation"] = await response.json();
    return conversation.messages;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}
