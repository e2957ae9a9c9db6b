import { expect, it } from "vitest";
import type { ChapterRow } from "../api/schema";
import type { OutlineNode, Story } from "../api/story";
import { type Lane, lanesOf, moveIn, placeIn, stepIn } from "./bookLanes";

const node = (
  id: string,
  kind: OutlineNode["kind"],
  parent: string | null,
  more: Partial<OutlineNode> = {},
) => ({ id, kind, parent, name: `n-${id}`, ...more }) as OutlineNode;

/** A prologue outside of the volumes; two arcs, one of them without chapters; a volume that is still to be planned. */
const nodes = [
  node("b", "book", null, { chapters: 20 }),
  node("c0", "chapter", null, { words: 800 }),
  node("v1", "act", null, { chapters: 6 }),
  node("a1", "arc", "v1", { chapters: 4 }),
  node("c1", "chapter", "a1", { function: "setback" }),
  node("c2", "chapter", "a1"),
  node("a2", "arc", "n-v1", { chapters: 2 }),
  node("v2", "act", null, { chapters: 10 }),
].map((one, index) => ({ ...one, order: index + 1 }));

const row = (id: string, place: number, documents: string[] = []): ChapterRow => ({
  place,
  number: place,
  title: `t-${id}`,
  node: id.startsWith("c") ? id : null,
  documents,
  volume: null,
});
const rows = [row("c0", 1, ["d0"]), row("c1", 2, ["d1"]), row("x", 3, ["dx"]), row("c2", 4)];
const story = { outline_nodes: nodes, documents: [] } as unknown as Story;
const lengths = new Map([
  ["d0", 900],
  ["d1", 1200],
  ["dx", 10],
]);
const read = (outline_nodes: readonly OutlineNode[] = nodes, list = rows) =>
  lanesOf(list, { ...story, outline_nodes } as Story, {
    lengthOf: (document) => lengths.get(document),
    stateOf: (document) => (document === "d1" ? "read" : "unread"),
  });
const told = (lanes: readonly Lane[]) =>
  lanes.map(
    ({ volume, arc, cards, open }) =>
      `${volume?.id ?? "-"}/${arc?.id ?? "-"}: ${cards.map(({ name }) => name).join(" ")} +${open}`,
  );

it("shows volumes, arcs and chapters in reading order, empty arcs too", () => {
  expect(told(read())).toEqual(["-/-: c0 +0", "v1/a1: c1 dx c2 +1", "v1/a2:  +2", "v2/-:  +10"]);
});

it("closes an arc behind which chapters are planned", () => {
  const more = [...nodes.slice(0, 7), node("c3", "chapter", "a2", { order: 7.5 }), ...nodes.slice(7)];
  expect(told(read(more, [...rows, row("c3", 5)]))[1]).toBe("v1/a1: c1 dx c2 +0");
});

it("says of each chapter how far it is", () => {
  const [c0, c1, , c2] = read().flatMap(({ cards }) => cards);
  expect(c0).toMatchObject({ status: "unread", written: 900, goal: 800, label: "" });
  expect(c1).toMatchObject({ status: "read", written: 1200, label: "setback" });
  expect(c2).toMatchObject({ status: "planned", written: 0 });
});

it("moves within a lane, and into others, in one edit", () => {
  const lanes = read();
  const [none, a1, a2, v2] = lanes as [Lane, Lane, Lane, Lane];
  const move = (name: string, lane: Lane, index: number) => moveIn(lanes, name, { lane, index });
  expect(move("c1", a1, 0)).toEqual([]);
  expect(move("c2", a1, 1)).toEqual([{ action: "move", chapter: "c2", after: "c1", into: "a1" }]);
  expect(move("c2", a1, 0)).toEqual([{ action: "move", chapter: "c2", after: "c0", into: "a1" }]);
  expect(move("c1", a2, 0)).toEqual([{ action: "move", chapter: "c1", after: "c2", into: "a2" }]);
  expect(move("c2", v2, 0)).toEqual([{ action: "move", chapter: "c2", after: "dx", into: "v2" }]);
  expect(move("c1", none, 0)).toEqual([{ action: "move", chapter: "c1", after: null }]);
  expect(move("c1", none, 1)).toEqual([{ action: "move", chapter: "c1", after: "c0" }]);
});

it("steps to the neighbour, and over the border of a lane", () => {
  const lanes = read();
  const step = (name: string, way: Parameters<typeof stepIn>[2]) => {
    const place = stepIn(lanes, name, way);
    return place && `${lanes.indexOf(place.lane)}.${place.index}`;
  };
  expect(step("c2", "earlier")).toBe("1.1");
  expect(step("c1", "earlier")).toBe("0.1");
  expect(step("c2", "later")).toBe("2.0");
  expect(step("c1", "down")).toBe("2.0");
  expect(step("c1", "up")).toBe("0.1");
  expect(step("c0", "up")).toBeUndefined();
  expect(step("nobody", "down")).toBeUndefined();
  expect(placeIn(lanes, "dx")?.index).toBe(1);
});

it("shows a book without an outline as one lane", () => {
  expect(told(read([], [row("x", 1, ["dx"]), row("y", 2, ["d1"])]))).toEqual(["-/-: dx d1 +0"]);
  expect(read([], [])).toEqual([]);
});
