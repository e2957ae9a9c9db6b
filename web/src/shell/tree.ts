import type { ChapterRow } from "../api/schema";
import type { Document, Story } from "../api/story";
import type { Chapter } from "../chapters/list";

/** A row of the project's tree. */
export type TreeRow = {
  id: string;
  level: number;
  kind: "part" | "chapter" | "text" | "field";
  /** The number in the chapter's heading. */
  number: number | undefined;
  title: string;
  /** The text of a chapter, if it is written. */
  document: Document | undefined;
  /** The chapter as the server lists it; undefined for everything else. */
  chapter: ChapterRow | undefined;
  /** Whether rows are below it, and shown. */
  isOpen: boolean | undefined;
  position: number;
  siblings: number;
};

/** The chapters as rows below their volumes, without what is below a volume in `shut`. */
export function rowsOf(chapters: readonly Chapter[], shut: ReadonlySet<string>): TreeRow[] {
  const volumes = volumesOf(chapters);
  const top = volumes.reduce(
    (sum, { name, chapters }) => sum + (name === undefined ? chapters.length : 1),
    0,
  );
  let position = 0;
  return volumes.flatMap(({ id, name, chapters }): TreeRow[] => {
    if (name === undefined) {
      return chapters.map((chapter) => rowOf(chapter, 1, ++position, top));
    }
    const isOpen = !shut.has(id);
    const none = { number: undefined, document: undefined, chapter: undefined };
    const head: TreeRow = {
      ...none,
      id,
      level: 1,
      kind: "part",
      title: name,
      isOpen,
      position: ++position,
      siblings: top,
    };
    const below = chapters.map((chapter, index) => rowOf(chapter, 2, index + 1, chapters.length));
    return [head, ...(isOpen ? below : [])];
  });
}

type Volume = { id: string; name: string | undefined; chapters: Chapter[] };

/** Groups neighbouring chapters of one volume. */
function volumesOf(chapters: readonly Chapter[]): Volume[] {
  const volumes: Volume[] = [];
  for (const chapter of chapters) {
    const last = volumes.at(-1);
    if (last && last.name === chapter.volume) last.chapters.push(chapter);
    else {
      const count = volumes.filter(({ name }) => name === chapter.volume).length;
      volumes.push({ id: `volume-${count}-${chapter.volume}`, name: chapter.volume, chapters: [chapter] });
    }
  }
  return volumes;
}

function rowOf(chapter: Chapter, level: number, position: number, siblings: number): TreeRow {
  const { id, title, number, document, row } = chapter;
  const shared = { id, title, document, position, siblings, isOpen: undefined, chapter: row };
  if (row) return { ...shared, level, kind: "chapter", number };
  // A further text of the chapter above, or a text that belongs to no chapter.
  return { ...shared, level, kind: "text", number: undefined };
}

/** The phases of a production with their fields, without those of a phase in `shut`. */
export function rowsOfContent({ production, fields }: Story, shut: ReadonlySet<string>): TreeRow[] {
  const phases = production?.phases ?? [];
  return phases.flatMap((phase, index): TreeRow[] => {
    // A field that stands for a list has its entries beside it.
    const made = fields.filter((field) => field.phase === phase.name && !field.each);
    const isOpen = !shut.has(phase.name);
    const head = {
      id: phase.name,
      level: 1,
      kind: "part",
      title: phase.title || phase.name,
      isOpen,
    } as const;
    const shared = { number: undefined, document: undefined, chapter: undefined };
    const rows = made.map(
      (field, place): TreeRow => ({
        ...shared,
        id: field.path,
        level: 2,
        kind: "field",
        title: field.title,
        isOpen: undefined,
        position: place + 1,
        siblings: made.length,
      }),
    );
    return [{ ...head, ...shared, position: index + 1, siblings: phases.length }, ...(isOpen ? rows : [])];
  });
}

/** Whether a title says the number itself, as “Chapter 3 …”. */
export function isNumbered(title: string): boolean {
  return /^(\u7b2c.{1,9}[\u7ae0\u56de\u8282]|chapter\s)/i.test(title);
}

/** The index of the row that is one level above. */
export function parentOf(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above--) {
    if ((rows[above]?.level ?? level) < level) return above;
  }
  return index;
}
