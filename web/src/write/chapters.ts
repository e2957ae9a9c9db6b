import type { Document, OutlineNode, Story } from "../api/story";
import { rowsOf } from "../shell/tree";

/** A chapter of the book: planned, written, or both. */
export type Chapter = {
  /** What its address names: the document's id, else the outline node's. */
  id: string;
  title: string;
  number: number | undefined;
  node: OutlineNode | undefined;
  document: Document | undefined;
};

/** All chapters in reading order. */
export function chaptersOf(story: Story): Chapter[] {
  const nodes = new Map(story.outline_nodes.map((node) => [node.id, node]));
  const documents = new Map(story.documents.map((document) => [document.id, document]));
  return rowsOf(story, new Set())
    .filter(({ kind }) => kind === "chapter")
    .map((row) => ({
      id: row.document ?? row.id,
      title: row.title,
      number: row.number,
      node: nodes.get(row.id),
      document: row.document === undefined ? undefined : documents.get(row.document),
    }));
}

/** The place of a chapter that an address names: by its document, or by its outline node. */
export function placeOf(chapters: readonly Chapter[], name: string): number {
  const byDocument = chapters.findIndex(({ id }) => id === name);
  return byDocument !== -1 ? byDocument : chapters.findIndex(({ node }) => node?.id === name);
}

/** The first chapter of the outline that has no prose. */
export function firstUnwritten(story: Story): OutlineNode | undefined {
  return chaptersOf(story).find(({ node, document }) => node?.kind === "chapter" && !document)?.node;
}

const LAST = "qingyu.last-chapter";

/** The chapter that was open last, if it is still there; else the first that is written, else the first of all. */
export function lastOf(project: string, chapters: readonly Chapter[]): Chapter | undefined {
  const kept = localStorage.getItem(`${LAST}/${project}`);
  return chapters.find(({ id }) => id === kept) ?? chapters.find(({ document }) => document) ?? chapters[0];
}

export function remember(project: string, chapter: string): void {
  localStorage.setItem(`${LAST}/${project}`, chapter);
}
