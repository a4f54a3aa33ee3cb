import { expect, it } from "vitest";
import { readEvents, type ServerEvent } from "./events";

/** Reads a text that arrives in pieces of so many bytes. */
async function read(text: string, size: number): Promise<ServerEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) {
        controller.enqueue(bytes.slice(at, at + size));
      }
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

const text =
  ': hola\n\nevent: token\r\ndata: {"text":"¿Qué tal? 😀"}\r\n\r\ndata:uno\ndata: dos\n\nevent: token\ndata: cort';

it.each([1, 2, 3, 7, 1000])("reads events that arrive in pieces of %i bytes", async (size) => {
  expect(await read(text, size)).toEqual([
    { name: "token", data: '{"text":"¿Qué tal? 😀"}' },
    { name: "message", data: "uno\ndos" },
  ]);
});
