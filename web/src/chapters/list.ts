import type { ChapterRow } from "../api/schema";
import type { Document, OutlineNode, Story } from "../api/story";

/** A text of the book that can be opened, or a chapter that is only planned. */
export type Chapter = {
  /** The last part of its address: the document's id, else the outline node's. */
  id: string;
  title: string;
  /** The number in its heading. */
  number: number | undefined;
  /** The position in the book, from 1; undefined for a text that belongs to no chapter. */
  place: number | undefined;
  node: OutlineNode | undefined;
  document: Document | undefined;
  /** Its row in the server's list; undefined for a further text of a chapter, and for a text that belongs to none. */
  row: ChapterRow | undefined;
  volume: string | undefined;
};

/** Returns the server's chapters with their nodes and texts, then the texts that belong to no chapter. */
export function chaptersOf(rows: readonly ChapterRow[], story: Story): Chapter[] {
  const nodes = new Map(story.outline_nodes.map((node) => [node.id, node]));
  const documents = new Map(story.documents.map((document) => [document.id, document]));
  const chapters = rows.flatMap((row): Chapter[] => {
    const shared = {
      number: row.number ?? undefined,
      place: row.place,
      node: row.node ? nodes.get(row.node) : undefined,
      volume: row.volume ?? undefined,
    };
    const ids = row.documents.length > 0 ? row.documents : [nameOf(row)];
    return ids.map((id, index) => {
      const document = documents.get(id);
      const title = index === 0 ? row.title : document?.title || row.title;
      return { ...shared, id, title, document, row: index === 0 ? row : undefined };
    });
  });
  const listed = new Set(rows.flatMap((row) => row.documents));
  const apart = story.documents.filter(({ id }) => !listed.has(id)).sort((a, b) => a.order - b.order);
  return [...chapters, ...apart.map(alone)];
}

function alone(document: Document): Chapter {
  const none = { number: undefined, place: undefined, node: undefined, row: undefined, volume: undefined };
  return { ...none, id: document.id, title: document.title, document };
}

/** Returns a name of the chapter that no move or insertion changes. */
export function nameOf(row: ChapterRow): string {
  return row.node || row.documents[0] || `#${row.place}`;
}

/** Returns the last part of the chapter's address. */
export function addressOf(row: ChapterRow): string {
  return row.documents[0] ?? nameOf(row);
}

/** Whether an address names this chapter: by its node, or by one of its texts. */
export function isNamed(row: ChapterRow, name: string | undefined): boolean {
  return name !== undefined && (row.node === name || row.documents.includes(name));
}

/** The index of the chapter that an address names, by its document or by its outline node; -1 if there is none. */
export function placeOf(chapters: readonly Chapter[], name: string): number {
  const byDocument = chapters.findIndex(({ id }) => id === name);
  return byDocument !== -1 ? byDocument : chapters.findIndex(({ row }) => row && isNamed(row, name));
}

/** The outline node of the first chapter that has no text. */
export function firstUnwritten(rows: readonly ChapterRow[]): string | undefined {
  return rows.find(({ node, documents }) => node && documents.length === 0)?.node ?? undefined;
}
