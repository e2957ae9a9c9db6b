import type { ChapterEdit, ChapterRow, ReadState } from "../api/schema";
import type { OutlineNode, Story } from "../api/story";
import { nameOf } from "../chapters/list";
import { type Branch, branches } from "./branches";

/** The state of a chapter: only planned, or the reading of its text. */
export type CardStatus = "planned" | ReadState;

/** A chapter as a card. */
export type Card = {
  /** A name that no move changes. */
  name: string;
  row: ChapterRow;
  status: CardStatus;
  /** The length of its text, as editors count. */
  written: number;
  /** The length that it is to have; 0 without a goal. */
  goal: number;
  /** Its function in the book; may be empty. */
  label: string;
};

/** The chapters of an arc, of a volume outside its arcs, or of no volume, in reading order. */
export type Lane = {
  key: string;
  volume: OutlineNode | undefined;
  arc: OutlineNode | undefined;
  cards: Card[];
  /** How many chapters are still to be planned. */
  open: number;
};

/** Facts about texts that the list of chapters lacks. */
export type CardFacts = {
  lengthOf(document: string): number | undefined;
  stateOf(document: string): ReadState | undefined;
};

/** The book as lanes, in reading order; arcs and volumes without chapters are lanes as well. */
export function lanesOf(rows: readonly ChapterRow[], story: Story, facts: CardFacts): Lane[] {
  const nodes = new Map(story.outline_nodes.map((node) => [node.id, node]));
  const cards = new Map(rows.map((row) => [nameOf(row), cardOf(row, nodes.get(row.node ?? ""), facts)]));
  const lanes: Lane[] = [];
  const inLane = new Map<string, Lane>();
  const begin = (volume: OutlineNode | undefined, arc: OutlineNode | undefined): Lane => {
    const part = arc ?? volume;
    const again = lanes.filter((lane) => (lane.arc ?? lane.volume) === part).length;
    const key = `${part?.id ?? ""}:${again}`;
    const lane = { key, volume, arc, cards: [], open: 0 };
    lanes.push(lane);
    return lane;
  };
  const walk = (siblings: readonly Branch[], volume: OutlineNode | undefined, arc?: Lane) => {
    let lane = arc;
    for (const { node, below } of siblings) {
      const card = cards.get(node.id);
      if (card) {
        lane ??= begin(volume, undefined);
        lane.cards.push(card);
        inLane.set(card.name, lane);
        continue;
      }
      lane = arc;
      if (node.kind === "book") walk(below, volume);
      else if (node.kind === "arc") walk(below, volume, begin(volume, node));
      else if (node.kind === "act" && below.length === 0) begin(node, undefined);
      else if (node.kind === "act") walk(below, node);
    }
  };
  walk(branches(story.outline_nodes), undefined);
  putLoose([...cards.values()], inLane, () => lanes[0] ?? begin(undefined, undefined));
  markOpen(lanes);
  return lanes;
}

/** Texts without a node stand with the chapter before them, the first ones in the first lane. */
function putLoose(cards: readonly Card[], inLane: Map<string, Lane>, first: () => Lane): void {
  let before: Card | undefined;
  for (const card of cards) {
    if (!inLane.has(card.name)) {
      const lane = (before && inLane.get(before.name)) ?? first();
      lane.cards.splice(before ? lane.cards.indexOf(before) + 1 : 0, 0, card);
      inLane.set(card.name, lane);
    }
    before = card;
  }
}

/** An arc or volume is open while it has fewer chapters than planned, and no later one has begun. */
function markOpen(lanes: readonly Lane[]): void {
  let isLast = true;
  for (const lane of [...lanes].reverse()) {
    const isWhole =
      lane.arc !== undefined || lanes.every(({ volume, arc }) => volume !== lane.volume || !arc);
    const planned = isWhole ? ((lane.arc ?? lane.volume)?.chapters ?? 0) : 0;
    if (isLast || lane.cards.length === 0) lane.open = Math.max(0, planned - lane.cards.length);
    if (lane.cards.length > 0) isLast = false;
  }
}

function cardOf(row: ChapterRow, node: OutlineNode | undefined, facts: CardFacts): Card {
  const written = row.documents.reduce((sum, document) => sum + (facts.lengthOf(document) ?? 0), 0);
  const states = row.documents.map((document) => facts.stateOf(document) ?? "unread");
  const state = states.find((state) => state !== "read") ?? "read";
  return {
    name: nameOf(row),
    row,
    status: written === 0 ? "planned" : state,
    written,
    goal: node?.words ?? 0,
    label: node?.function ?? "",
  };
}

/** A place for a card: the lane, and how many of its other cards stand before. */
export type LanePlace = { lane: Lane; index: number };

/** Returns the place of a card. */
export function placeIn(lanes: readonly Lane[], name: string): LanePlace | undefined {
  for (const lane of lanes) {
    const index = lane.cards.findIndex((card) => card.name === name);
    if (index !== -1) return { lane, index };
  }
  return undefined;
}

export type LaneWay = "earlier" | "later" | "up" | "down";

/** Returns the place of a card after a step: beside its neighbour, or in the previous or next lane; `undefined` at the ends. */
export function stepIn(lanes: readonly Lane[], name: string, way: LaneWay): LanePlace | undefined {
  const here = placeIn(lanes, name);
  if (!here) return undefined;
  const at = lanes.indexOf(here.lane);
  const [above, below] = [lanes[at - 1], lanes[at + 1]];
  if (way === "earlier" && here.index > 0) return { lane: here.lane, index: here.index - 1 };
  if (way === "later" && here.index + 1 < here.lane.cards.length) {
    return { lane: here.lane, index: here.index + 1 };
  }
  if (way === "earlier" || way === "up") return above && { lane: above, index: above.cards.length };
  return below && { lane: below, index: 0 };
}

/** Returns the edits that put a chapter into a place; none if it is there. */
export function moveIn(lanes: readonly Lane[], name: string, to: LanePlace): ChapterEdit[] {
  const here = placeIn(lanes, name);
  if (!here || (here.lane === to.lane && here.index === to.index)) return [];
  const others = to.lane.cards.filter((card) => card.name !== name);
  const all = lanes.flatMap(({ cards }) => cards).filter((card) => card.name !== name);
  const next = others[to.index];
  const before = others[to.index - 1] ?? lastBefore(lanes, to.lane, name);
  const after = before?.name ?? null;
  const into = (to.lane.arc ?? to.lane.volume)?.id;
  if (into !== undefined) return [{ action: "move", chapter: name, after, into }];
  // Chapters of no volume: a chapter comes into none by standing behind one of none.
  if (to.index > 0 || after === null || !next || next === all[0])
    return [{ action: "move", chapter: name, after }];
  return [
    { action: "move", chapter: name, after: next.name },
    { action: "move", chapter: next.name, after: name },
  ];
}

function lastBefore(lanes: readonly Lane[], lane: Lane, name: string): Card | undefined {
  const before = lanes.slice(0, lanes.indexOf(lane)).flatMap(({ cards }) => cards);
  return before.filter((card) => card.name !== name).at(-1);
}
