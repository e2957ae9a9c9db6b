import { EventSourceParserStream } from "eventsource-parser/stream";
import { send } from "./client";
import { Problem } from "./problem";

/** How the line to the server is. */
export type Line = "open" | "lost";

export type Watching<Event> = {
  /** Every event once, in order; `id` is the place in the log, and none for text that is streamed and not kept. */
  onEvent(event: Event, id: number | undefined): void;
  onLine(line: Line): void;
  /** The place in the log after which the stream begins. */
  after?: number;
  signal: AbortSignal;
};

const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;

/** Server-sent events that go on where they broke off. Resolves at the stream's end; rejects if the server refuses. */
export async function watch<Event>(
  url: string,
  { onEvent, onLine, after, signal }: Watching<Event>,
): Promise<void> {
  let last = after ?? 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": String(last) };
      const answer = await send(new Request(new URL(url, location.href), { headers, signal }));
      if (answer.status >= 400 && answer.status < 500 && answer.status !== 429) {
        throw Problem.of(answer, await answer.json().catch(() => undefined));
      }
      if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`);
      onLine("open");
      const frames = answer.body
        .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, BufferSource>)
        .pipeThrough(new EventSourceParserStream())
        .getReader();
      for (;;) {
        const { value: frame, done } = await frames.read();
        if (done) break;
        failures = 0;
        if (frame.event === "end") return;
        if (frame.event === "error") throw problemOf(frame.data);
        const id = frame.id ? Number(frame.id) : undefined;
        if (id !== undefined) {
          if (id <= last) continue;
          last = id;
        }
        onEvent(JSON.parse(frame.data) as Event, id);
      }
      throw new Error("the stream was cut off");
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Problem && !error.isPassing) throw error;
      onLine("lost");
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failures++);
      await rest(pause * (0.7 + Math.random() * 0.6), signal);
    }
  }
}

function problemOf(data: string): Problem {
  const document = JSON.parse(data) as { status?: number; code?: string; title?: string };
  return new Problem(document.status ?? 500, document.code ?? "internal", document.title ?? "", document);
}

function rest(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
