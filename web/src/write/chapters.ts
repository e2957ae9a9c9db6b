import type { Chapter } from "../chapters/list";

const LAST = "qingyu.last-chapter";

/** The chapter that was open last, if it is still there; else the first that is written, else the first of all. */
export function lastOf(project: string, chapters: readonly Chapter[]): Chapter | undefined {
  const kept = localStorage.getItem(`${LAST}/${project}`);
  return chapters.find(({ id }) => id === kept) ?? chapters.find(({ document }) => document) ?? chapters[0];
}

export function remember(project: string, chapter: string): void {
  localStorage.setItem(`${LAST}/${project}`, chapter);
}
