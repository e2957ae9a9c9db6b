import { describe, expect, it } from "vitest";
import type { Story, TimelineEvent } from "../api/story";
import { bookOf } from "./book";
import {
  columnsByTelling,
  columnsByTime,
  inStoryOrder,
  lanesOf,
  type Placed,
  placedOf,
  slots,
  spans,
} from "./storyTime";

const event = (id: string, rest: Partial<TimelineEvent> = {}) =>
  ({
    id,
    title: id,
    timestamp: "",
    duration: "",
    after: [],
    participants: [],
    deaths: [],
    location: null,
    outline_node: null,
    mode: "narrated",
    importance: 5,
    ...rest,
  }) as unknown as TimelineEvent;
const placed = (id: string, from: number, to: number): Placed => ({
  id,
  starts: [from, from],
  ends: [to, to],
});
const ids = (events: readonly TimelineEvent[]) => events.map(({ id }) => id);

describe("story time", () => {
  it("is the server's order, with the rest behind what they come after", () => {
    const events = [
      event("d", { after: ["c"] }),
      event("b"),
      event("c", { after: ["a"] }),
      event("a"),
      event("e"),
    ];
    expect(ids(inStoryOrder(events, [placed("a", 1, 1), placed("b", 2, 2)]))).toEqual([
      "a",
      "c",
      "d",
      "b",
      "e",
    ]);
  });

  it("puts nothing before what it comes after, whatever the server guessed", () => {
    const events = [event("late", { after: ["early"] }), event("early")];
    expect(ids(inStoryOrder(events, [placed("late", 1, 1), placed("early", 2, 2)]))).toEqual([
      "early",
      "late",
    ]);
  });

  it("does not hang on events that come after each other", () => {
    const events = [event("a", { after: ["b"] }), event("b", { after: ["a"] })];
    expect(inStoryOrder(events, [])).toHaveLength(2);
  });

  it("has a column for each time", () => {
    const columns = columnsByTime([
      event("a", { timestamp: "春" }),
      event("b", { timestamp: "春" }),
      event("c"),
      event("d"),
    ]);
    expect(columns.map(({ title, events }) => [title, events.length])).toEqual([
      ["春", 2],
      ["", 1],
      ["", 1],
    ]);
  });

  it("lets an event last until its end", () => {
    const columns = columnsByTime([
      event("a", { timestamp: "1", duration: "3天" }),
      event("b", { timestamp: "2" }),
      event("c", { timestamp: "9" }),
    ]);
    const found = spans(columns, [placed("a", 1, 4), placed("b", 2, 2), placed("c", 9, 9)]);
    expect([...found]).toEqual([
      ["a", 2],
      ["b", 1],
      ["c", 1],
    ]);
  });

  it("reads what the tool answers", () => {
    const row = { id: "a", starts_between: [1, 2], ends_between: [3, 4] };
    expect(placedOf({ lines: [{ events: [row, { id: "b" }, 3] }] })).toEqual([
      { id: "a", starts: [1, 2], ends: [3, 4] },
    ]);
    expect(placedOf({})).toEqual([]);
  });
});

describe("lanes", () => {
  const story = {
    outline_nodes: [
      { id: "o1", kind: "chapter", name: "一", order: 1 },
      { id: "o2", kind: "chapter", name: "二", order: 2 },
    ],
    documents: [],
    characters: [
      { id: "c1", name: "林青", alias: ["阿青"] },
      { id: "c2", name: "李四", alias: [] },
    ],
    timeline_events: [
      event("e1", { participants: ["阿青"], outline_node: "o2" }),
      event("e2", { participants: ["林青", "渡工"], outline_node: "o1" }),
      event("e3"),
    ],
    promises: [],
    plot_nodes: [],
    facts: [],
    worldview: null,
  } as unknown as Story;
  const book = bookOf(story);

  it("are those of people who do something, strangers and the rest last", () => {
    const lanes = lanesOf(book, "people", "其他");
    expect(lanes.map(({ title, events }) => [title, [...events]])).toEqual([
      ["林青", ["e1", "e2"]],
      ["渡工", ["e2"]],
      ["其他", ["e3"]],
    ]);
  });

  it("put events that overlap into rows", () => {
    const columns = columnsByTime(story.timeline_events);
    const lane = { id: "", title: "", events: new Set(["e1", "e2", "e3"]) };
    const { slots: found, rows } = slots(lane, columns, new Map([["e1", 2]]));
    expect(found.map(({ event, row }) => [event.id, row])).toEqual([
      ["e1", 0],
      ["e2", 1],
      ["e3", 0],
    ]);
    expect(rows).toBe(2);
  });

  it("can follow the telling", () => {
    const columns = columnsByTelling(book, story.timeline_events);
    expect(columns.map(({ title, events }) => [title, ids(events)])).toEqual([
      ["一", ["e2"]],
      ["二", ["e1"]],
      ["", ["e3"]],
    ]);
  });
});
