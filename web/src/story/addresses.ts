import type { PieceKind } from "../api/schema";
import { at, type Place } from "../shell/places";
import type { Book } from "./book";

const placeOf: Partial<Record<PieceKind, Place>> = {
  relation: "relations",
  event: "timeline",
  location: "world",
  organisation: "world",
  item: "world",
  world_rule: "world",
  worldview: "world",
  ladder: "ladders",
  promise: "promises",
  plot_node: "encyclopedia",
  fact: "knowledge",
};

/** Where a piece of the story is seen and edited. */
export function addressOf(project: string, kind: PieceKind, id: string): string {
  if (kind === "character") return at.character(project, id);
  if (kind === "document") return at.chapter(project, id);
  if (kind === "outline_node") return `${at.place(project, "outline")}/${encodeURIComponent(id)}`;
  const place = placeOf[kind];
  if (!place) return at.place(project, "settings");
  return kind === "fact" || id === ""
    ? at.place(project, place)
    : `${at.place(project, place)}/${encodeURIComponent(id)}`;
}

/** Where a chapter is read, by its number. */
export function addressOfChapter(project: string, book: Book, number: number): string | undefined {
  const chapter = book.chapters[number - 1];
  return chapter && at.chapter(project, chapter.id);
}
