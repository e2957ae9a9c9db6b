import type { TimelineEvent } from "../api/story";
import type { Book } from "./book";
import { isRecord } from "./tools";

/** An event's place in time as the server worked it out: the earliest and latest begin and end, in seconds. */
export type Placed = { id: string; starts: [number, number]; ends: [number, number] };

/** Which rules are about time and presence. */
export const TIME_RULES = ["QY2", "QY3", "QY506"];

/** The order of the events on their lines, from the answer of the timeline tool. */
export function placedOf(result: Record<string, unknown>): Placed[] {
  const lines = Array.isArray(result.lines) ? result.lines : [];
  return lines.flatMap((line: unknown) => {
    const events = isRecord(line) && Array.isArray(line.events) ? line.events : [];
    return events.flatMap((event: unknown) => {
      if (!isRecord(event) || typeof event.id !== "string") return [];
      const starts = pair(event.starts_between);
      const ends = pair(event.ends_between);
      return starts && ends ? [{ id: event.id, starts, ends }] : [];
    });
  });
}

function pair(value: unknown): [number, number] | undefined {
  if (!Array.isArray(value)) return undefined;
  const [from, to]: unknown[] = value;
  return typeof from === "number" && typeof to === "number" ? [from, to] : undefined;
}

/**
 * The events in the order in which they happen: as the server placed them, but none before what it comes after; what it
 * could not place stands right behind that.
 */
export function inStoryOrder(events: readonly TimelineEvent[], placed: readonly Placed[]): TimelineEvent[] {
  const rank = new Map(placed.map(({ id }, index) => [id, index]));
  const byName = new Map(
    events.flatMap((event) => [[event.title, event] as const, [event.id, event] as const]),
  );
  const before = new Map(
    events.map((event) => {
      const earlier = event.after.flatMap((name) => byName.get(name) ?? []);
      return [event, new Set(earlier.filter((other) => other !== event))];
    }),
  );
  const urgency = (event: TimelineEvent) =>
    rank.get(event.id) ?? (event.after.length > 0 ? -1 : Number.POSITIVE_INFINITY);
  const sooner = (a: TimelineEvent | undefined, b: TimelineEvent) => (a && urgency(a) <= urgency(b) ? a : b);
  const first = (some: Iterable<TimelineEvent>) => {
    let found: TimelineEvent | undefined;
    for (const event of some) found = sooner(found, event);
    return found;
  };
  const waiting = new Set(events);
  const sorted: TimelineEvent[] = [];
  while (waiting.size > 0) {
    const ready = [...waiting].filter((event) => before.get(event)?.size === 0);
    const next = first(ready) ?? first(waiting);
    if (!next) break;
    waiting.delete(next);
    sorted.push(next);
    for (const event of waiting) before.get(event)?.delete(next);
  }
  return sorted;
}

/** A column of the timeline with the events that begin in it. */
export type Column = { key: string; title: string; events: TimelineEvent[] };

/** Columns in the order of the story: neighbours with the same time share one. */
export function columnsByTime(events: readonly TimelineEvent[]): Column[] {
  const columns: Column[] = [];
  for (const event of events) {
    const last = columns.at(-1);
    if (last && last.title !== "" && last.title === event.timestamp) last.events.push(event);
    else columns.push({ key: event.id, title: event.timestamp, events: [event] });
  }
  return columns;
}

/** Columns in the order of telling, one for each chapter that tells any; what no chapter tells comes last. */
export function columnsByTelling(book: Book, events: readonly TimelineEvent[]): Column[] {
  const told = new Map<number, TimelineEvent[]>();
  for (const event of events) {
    const chapter = book.chapterOf(event.outline_node) ?? Number.POSITIVE_INFINITY;
    const beside = told.get(chapter);
    if (beside) beside.push(event);
    else told.set(chapter, [event]);
  }
  const chapters = [...told].sort(([a], [b]) => a - b);
  return chapters.map(([number, events]) => ({
    key: `chapter-${number}`,
    title: book.chapters[number - 1]?.title ?? "",
    events,
  }));
}

/** Over how many columns each event lasts, where its end is certainly behind the beginning of a later one. */
export function spans(columns: readonly Column[], placed: readonly Placed[]): Map<string, number> {
  const times = new Map(placed.map((event) => [event.id, event]));
  const found = new Map<string, number>();
  columns.forEach(({ events }, index) => {
    for (const event of events) {
      const end = times.get(event.id)?.ends[0];
      let span = 1;
      while (event.duration !== "" && end !== undefined && index + span < columns.length) {
        const next = times.get(columns[index + span]?.events[0]?.id ?? "");
        if (!next || next.starts[1] >= end) break;
        span++;
      }
      found.set(event.id, span);
    }
  });
  return found;
}

/** What a lane is of. */
export type LaneKind = "people" | "places" | "plot";

/** A lane: a character, a place or a line of the plot, with the events that belong to it. */
export type Lane = { id: string; title: string; events: ReadonlySet<string> };

/** The lanes that have any event, in the order in which the story names them; `rest` is the title of the last. */
export function lanesOf(book: Book, kind: LaneKind, rest: string): Lane[] {
  const lanes = new Map<string, { title: string; events: Set<string> }>();
  const put = (id: string, title: string, event: string) => {
    const lane = lanes.get(id);
    if (lane) lane.events.add(event);
    else lanes.set(id, { title, events: new Set([event]) });
  };
  if (kind === "people")
    for (const { id, name } of book.story.characters) lanes.set(id, { title: name, events: new Set() });
  for (const event of book.story.timeline_events) {
    const words = wordsOf(book, kind, event);
    for (const word of words) {
      const piece = book.named(word);
      put(piece?.id ?? word, piece?.name ?? word, event.id);
    }
    if (words.length === 0) put("", rest, event.id);
  }
  const found = [...lanes].filter(([, { events }]) => events.size > 0).map(([id, lane]) => ({ id, ...lane }));
  return [...found.filter(({ id }) => id !== ""), ...found.filter(({ id }) => id === "")];
}

function wordsOf(book: Book, kind: LaneKind, event: TimelineEvent): string[] {
  if (kind === "people") return [...new Set([...event.participants, ...event.deaths])];
  if (kind === "places") return event.location ? [event.location] : [];
  const lines = book.story.plot_nodes.filter(
    ({ events }) => events.includes(event.title) || events.includes(event.id),
  );
  return lines.map(({ id }) => id);
}

/** An event's place in a lane: where it begins, how many columns it covers, and in which row. */
export type Slot = { event: TimelineEvent; column: number; span: number; row: number };

/** Puts a lane's events into rows so that none covers another. */
export function slots(
  lane: Lane,
  columns: readonly Column[],
  spans: ReadonlyMap<string, number>,
): { slots: Slot[]; rows: number } {
  const ends: number[] = [];
  const placed: Slot[] = [];
  columns.forEach(({ events }, column) => {
    for (const event of events) {
      if (!lane.events.has(event.id)) continue;
      const span = spans.get(event.id) ?? 1;
      const free = ends.findIndex((end) => end <= column);
      const row = free < 0 ? ends.length : free;
      ends[row] = column + span;
      placed.push({ event, column, span, row });
    }
  });
  return { slots: placed, rows: Math.max(1, ends.length) };
}
