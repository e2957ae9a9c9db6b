import { useMemo } from "react";
import type { PieceKind } from "../api/schema";
import type { Document, Ladder, OutlineNode, OwnRelationKind, Story, Worldview } from "../api/story";
import { type Branch, branches } from "./branches";

/** A chapter as the story's pages count it: its place in reading order, planned or written or both. */
export type Chapter = {
  number: number;
  /** What its address is made of: the id of its prose, else of its outline node. */
  id: string;
  title: string;
  node: OutlineNode | undefined;
  document: Document | undefined;
};

/** Anything of the story that has a name. */
export type Piece = { kind: PieceKind; id: string; name: string; alias: string[]; about: string };

/** A story with the look-ups that its pages need. */
export type Book = {
  story: Story;
  chapters: Chapter[];
  pieces: Piece[];
  /** The number of the last chapter that has prose; 0 if none has. */
  written: number;
  /** The piece of that name, alias or id. */
  named(word: string | null | undefined): Piece | undefined;
  /** The chapter that a place, event or time of the story stands for. */
  chapterOf(word: string | null | undefined): number | undefined;
};

/** The form in which names are compared. */
export function fold(word: string): string {
  return word.normalize("NFKC").trim().toLowerCase().replace(/\s+/g, " ");
}

export function useBook(story: Story): Book {
  return useMemo(() => bookOf(story), [story]);
}

export function bookOf(story: Story): Book {
  const chapters = chaptersOf(story);
  const pieces = piecesOf(story);
  const byName = new Map<string, Piece>();
  const learn = (word: string, piece: Piece) => {
    const key = fold(word);
    if (key !== "" && !byName.has(key)) byName.set(key, piece);
  };
  for (const piece of pieces) learn(piece.id, piece);
  for (const piece of pieces) learn(piece.name, piece);
  for (const piece of pieces) for (const alias of piece.alias) learn(alias, piece);
  const places = placesOf(story, chapters);
  return {
    story,
    chapters,
    pieces,
    written: chapters.reduce((last, { number, document }) => (document?.text ? number : last), 0),
    named: (word) => (word ? byName.get(fold(word)) : undefined),
    chapterOf: (word) => (word ? chapterAt(places, chapters, word) : undefined),
  };
}

/** The chapters in reading order: those of the outline, then prose that has no place in it. */
export function chaptersOf(story: Story): Chapter[] {
  const words = new Set(story.outline_nodes.flatMap(({ id, name }) => [id, name]));
  const isLoose = ({ order, outline_node: node }: Document) => order > 0 && (!node || !words.has(node));
  const written = new Map(story.documents.map((document) => [document.outline_node, document]));
  const found: Omit<Chapter, "number">[] = [];
  const walk = (siblings: readonly Branch[]) => {
    for (const { node, below } of siblings) {
      if (node.kind === "chapter") {
        const document = written.get(node.id) ?? written.get(node.name);
        found.push({ id: document?.id ?? node.id, title: document?.title || node.name, node, document });
      }
      walk(below);
    }
  };
  walk(branches(story.outline_nodes));
  const loose = story.documents.filter(isLoose).sort((a, b) => a.order - b.order);
  for (const document of loose) {
    found.push({ id: document.id, title: document.title, node: undefined, document });
  }
  return found.map((chapter, index) => ({ ...chapter, number: index + 1 }));
}

/** The ladders of the world. The list is no part of the declared shape of a world, and is left out if it is empty. */
export function laddersOf(story: Story): readonly Ladder[] {
  const world: (Worldview & { ladders?: Ladder[] }) | null = story.worldview;
  return world?.ladders ?? [];
}

/** The author's own kinds of relation, left out like the ladders. */
export function relationKindsOf(story: Story): readonly OwnRelationKind[] {
  const world: (Worldview & { relation_kinds?: OwnRelationKind[] }) | null = story.worldview;
  return world?.relation_kinds ?? [];
}

/** Everything that has a name, people first. */
export function piecesOf(story: Story): Piece[] {
  const world = story.worldview;
  return [
    ...story.characters.map((c) => piece("character", c.id, c.name, c.alias, c.background || c.personality)),
    ...(world?.locations ?? []).map((l) => piece("location", l.id, l.name, l.alias, l.description)),
    ...(world?.organisations ?? []).map((o) => piece("organisation", o.id, o.name, o.alias, o.description)),
    ...(world?.items ?? []).map((i) => piece("item", i.id, i.name, i.alias, i.description)),
    ...laddersOf(story).map((l) => piece("ladder", l.id, l.name, l.alias, l.description)),
    ...(world?.rules ?? []).map((r) => piece("world_rule", r.id, r.name, [], r.statement)),
    ...story.timeline_events.map((e) => piece("event", e.id, e.title, [], e.description)),
    ...story.promises.map((p) => piece("promise", p.id, p.name, [], p.description)),
    ...story.plot_nodes.map((p) => piece("plot_node", p.id, p.title, [], p.description)),
    ...story.outline_nodes.map((n) => piece("outline_node", n.id, n.name, [], n.description)),
    ...story.documents.map((d) => piece("document", d.id, d.title, [], d.summary ?? "")),
  ];
}

function piece(kind: PieceKind, id: string, name: string, alias: string[], about: string): Piece {
  return { kind, id, name, alias: alias ?? [], about };
}

/** Every word that stands for a chapter: nodes, scenes below them, prose, events and their times. */
function placesOf(story: Story, chapters: readonly Chapter[]): Map<string, number> {
  const places = new Map<string, number>();
  const learn = (word: string | null | undefined, number: number | undefined) => {
    if (!word || number === undefined) return;
    const key = fold(word);
    if (!places.has(key)) places.set(key, number);
  };
  for (const { number, node, document } of chapters) {
    for (const word of [node?.id, node?.name, document?.id, document?.title]) learn(word, number);
  }
  const find = (word: string | null | undefined) => (word ? places.get(fold(word)) : undefined);
  for (const node of story.outline_nodes) {
    if (node.kind === "scene") for (const word of [node.id, node.name]) learn(word, find(node.parent));
  }
  for (const act of story.outline_nodes.filter((node) => node.kind === "act" || node.kind === "arc")) {
    const first = chapters.find(({ node }) => node && [act.id, act.name].includes(node.parent ?? ""));
    for (const word of [act.id, act.name]) learn(word, first?.number);
  }
  const told = story.timeline_events.map((event) => [event, find(event.outline_node)] as const);
  for (const [event, number] of told) for (const word of [event.id, event.title]) learn(word, number);
  for (const [event, number] of told) if (event.mode === "narrated") learn(event.timestamp, number);
  return places;
}

const NUMBERED = /^(?:chapter|\u7b2c)?\s*:?\s*(\d+)\s*\u7ae0?$/;

/** A chapter under a word that may also be its number, the beginning of its title, or a day with an event. */
function chapterAt(places: Map<string, number>, chapters: readonly Chapter[], word: string) {
  const key = fold(word);
  const known = places.get(key);
  if (known !== undefined) return known;
  const number = Number(NUMBERED.exec(key)?.[1]);
  if (number >= 1 && number <= chapters.length) return number;
  if (key.length < 3) return undefined;
  const title = chapters.find(
    ({ title }) => fold(title).startsWith(`${key} `) || fold(title).startsWith(`${key}:`),
  );
  if (title) return title.number;
  for (const [place, chapter] of places)
    if (/\d|\p{Script=Han}/u.test(key) && place.startsWith(key)) return chapter;
  return undefined;
}
