import type { PieceKind } from "../api/schema";
import type { Book } from "./book";

/** What an anchor such as `outline_nodes/o-3/description` points to. */
export type Anchored = { kind: PieceKind; id: string; field: string; chapter: number | undefined };

const kinds: Record<string, PieceKind> = {
  characters: "character",
  character_relations: "relation",
  outline_nodes: "outline_node",
  timeline_events: "event",
  plot_nodes: "plot_node",
  documents: "document",
  facts: "fact",
  promises: "promise",
  locations: "location",
  organisations: "organisation",
  items: "item",
  rules: "world_rule",
  ladders: "ladder",
  style: "style",
};

/** The piece that an anchor points to, and the chapter where a reader finds it. */
export function anchored(book: Book, anchor: string): Anchored | undefined {
  const parts = anchor.split("/");
  const [list = "", id = "", ...field] =
    parts[0] === "worldview" && parts.length > 2 ? parts.slice(1) : parts;
  const kind = parts[0] === "worldview" && parts.length <= 2 ? "worldview" : kinds[list];
  if (!kind) return undefined;
  return { kind, id, field: field.join("/"), chapter: chapterOfPiece(book, kind, id) };
}

/** The chapter that tells a piece, if one does. */
export function chapterOfPiece(book: Book, kind: PieceKind, id: string): number | undefined {
  const { story } = book;
  if (kind === "fact") return book.chapterOf(story.facts.find((fact) => fact.id === id)?.source?.document);
  if (kind === "document" || kind === "outline_node" || kind === "event") return book.chapterOf(id);
  if (kind === "plot_node") return book.chapterOf(story.plot_nodes.find((p) => p.id === id)?.outline_node);
  return undefined;
}
