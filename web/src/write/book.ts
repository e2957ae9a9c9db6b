import { Problem } from "../api/problem";
import { type Hit, isSame, replaced, seek, type Wanted } from "./seek";
import type { Editing } from "./useEditing";
import { loadText, saveText } from "./wire";

export type Searched = { id: string; title: string; text: string };
/** A hit in a chapter of the book; the words as they are written there. */
export type BookHit = Hit & { key: string; chapter: string; title: string; number: number; words: string };
/** What came of it; chapters that changed meanwhile were left alone. */
export type Replaced = { count: number; chapters: number; skipped: string[] };

export function seekBook(chapters: readonly Searched[], wanted: Wanted): BookHit[] {
  return chapters.flatMap(({ id, title, text }) =>
    seek(text, wanted).map((hit, number) => ({
      ...hit,
      key: `${id}/${number}`,
      chapter: id,
      title,
      number,
      words: text.slice(hit.from, hit.to),
    })),
  );
}

/** Replaces the chosen hits, chapter by chapter: in the open one through its editor, in others on the server. */
export async function replaceInBook(
  project: string,
  here: string,
  editing: Editing,
  wanted: Wanted & { put: string },
  hits: readonly BookHit[],
  chosen: readonly BookHit[],
): Promise<Replaced> {
  const told: Replaced = { count: 0, chapters: 0, skipped: [] };
  for (const chapter of new Set(chosen.map((hit) => hit.chapter))) {
    const seen = hits.filter((hit) => hit.chapter === chapter);
    const numbers = new Set(chosen.filter((hit) => hit.chapter === chapter).map(({ number }) => number));
    const make = (text: string) => {
      const found = seek(text, wanted);
      return isSame(found, seen) ? replaced(text, found, numbers, wanted.put) : undefined;
    };
    const isDone = chapter === here ? replaceHere(editing, make) : await replaceThere(project, chapter, make);
    if (isDone) {
      told.count += numbers.size;
      told.chapters++;
    } else told.skipped.push(seen[0]?.title ?? chapter);
  }
  return told;
}

type Make = (text: string) => string | undefined;

function replaceHere(editing: Editing, make: Make): boolean {
  const made = editing.editor.view.composing ? undefined : make(editing.now());
  if (made === undefined) return false;
  editing.rewrite(made);
  return true;
}

async function replaceThere(project: string, chapter: string, make: Make): Promise<boolean> {
  const { text, version } = await loadText(project, chapter);
  const made = make(text);
  if (made === undefined) return false;
  try {
    await saveText(project, chapter, made, version);
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status === 409) return false;
    throw error;
  }
}
