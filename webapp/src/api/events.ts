/** One server-sent event. */
export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

function eventOf(block: string): ServerEvent {
  const [, name = "message"] = /^event: ?(.*)/m.exec(block) ?? [];
  const data = Array.from(block.matchAll(/^data: ?(.*)/gm), ([, line]) => line);
  return { name, data: data.join("\n") };
}

/** The events of an answer, each as soon as it is complete; one that is cut off is not given. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffer = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      buffer += decoder.decode(value, { stream: true }).replace(/\r/g, "");
      const blocks = buffer.split("\n\n");
      buffer = blocks.pop() ?? "";
      // A comment has no data.
      yield* blocks.map(eventOf).filter(({ data }) => data);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
