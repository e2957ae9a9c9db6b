import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { keys, queries, refreshChapters } from "../api/queries";
import type { ChapterEdit, ChapterList, ChapterRow } from "../api/schema";
import type { ProjectView } from "../api/story";
import { useProblemText } from "../parts/states";
import { at } from "../shell/places";
import { useShell } from "../shell/state";
import { addressOf, isNamed, nameOf } from "./list";
import {
  indexOf,
  moveBeside,
  moveStep,
  moveToNumber,
  placeText,
  positionOf,
  type Side,
  volumeOf,
} from "./order";
import { type Undo, useChapterState } from "./state";
import { type NewTitles, newTitle } from "./titles";
import { troubleOf } from "./trouble";
import { addText, editChapters, undoChange } from "./wire";

export type ChapterEdits = ReturnType<typeof useChapterEdits>;

/**
 * The edits of the chapter list, each with all that follows: unsaved text is saved first, then the tree, the heading and
 * the address are brought up to date, and the result is told.
 */
export function useChapterEdits(project: string) {
  const { t, i18n } = useTranslation();
  const [, go] = useLocation();
  const problemText = useProblemText();

  const tell = (text: string, undo?: Undo) =>
    useChapterState.getState().notify({ project, text, isFailure: false, undo });
  const refuse = (text: string) =>
    useChapterState.getState().notify({ project, text, isFailure: true, undo: undefined });

  /** Runs one edit at a time, and tells why it failed. */
  const run = async (work: () => Promise<void>): Promise<void> => {
    const { isBusy, setBusy, notify } = useChapterState.getState();
    if (isBusy) return;
    setBusy(true);
    notify(undefined);
    try {
      await work();
    } catch (error) {
      const trouble = troubleOf(error);
      refuse(trouble ? t(`chapters.trouble.${trouble}`) : problemText(error));
      // Without a connection this waits for one; the next edit need not.
      void refreshChapters(project);
    } finally {
      setBusy(false);
    }
  };
  const list = () => queries.getQueryData<ChapterList>(keys.chapters(project))?.chapters ?? [];
  const story = () => queries.getQueryData<ProjectView>(keys.view(project))?.story;
  /** The chapter in the editor, if it is one of these. */
  const openOf = (...rows: readonly (ChapterRow | undefined)[]) => {
    const { open } = useChapterState.getState();
    if (open?.project !== project) return undefined;
    return rows.length === 0 || rows.some((row) => row?.documents.includes(open.document)) ? open : undefined;
  };
  /** Saves the chapter in the editor; false if that failed for one of `rows`, which are about to change. */
  const save = async (...rows: readonly (ChapterRow | undefined)[]): Promise<boolean> => {
    const isSaved = (await openOf()?.save()) ?? true;
    if (isSaved || rows.length === 0 || !openOf(...rows)) return true;
    refuse(t("chapters.unsaved"));
    return false;
  };
  /** Applies edits one after the other; returns the last list and the changes, newest first. */
  const apply = async (edits: readonly ChapterEdit[]) => {
    const changes: number[] = [];
    let rows: readonly ChapterRow[] = list();
    let same: ChapterList["same_numbers"] = [];
    for (const edit of edits) {
      const answered = await editChapters(project, edit);
      if (answered.change != null) changes.unshift(answered.change);
      rows = answered.chapters;
      same = answered.same_numbers;
    }
    return { rows, changes, same };
  };
  const visit = (name: string) => {
    go(at.chapter(project, name));
    useShell.getState().see("middle");
  };
  /** The numbers that two chapters have, as a sentence. */
  const aboutNumbers = (same: ChapterList["same_numbers"]) =>
    same.length === 0
      ? ""
      : ` ${t("chapters.same_numbers", { numbers: same.map(({ number }) => number).join(t("chapters.comma")) })}`;
  const titleAt = (rows: readonly ChapterRow[], index: number, volume: string | undefined) => {
    const known = story();
    // The book's language, whatever the pages speak.
    const words = i18n.getFixedT(known?.language === "en" ? "en" : "zh");
    const titles: NewTitles = {
      first: words("chapters.first_title"),
      plain: words("chapters.plain_title"),
      again: (number) => words("chapters.plain_title_again", { number }),
    };
    const taken = [
      ...(known?.outline_nodes ?? []).map(({ name }) => name),
      ...(known?.documents ?? []).map(({ title }) => title),
    ];
    return newTitle(rows, index, volume, taken, titles);
  };

  const move = (row: ChapterRow, edits: readonly ChapterEdit[]) =>
    run(async () => {
      if (edits.length === 0) return;
      await save();
      const { changes, same } = await apply(edits);
      await refreshChapters(project);
      const undo = { changes, back: undefined, isOfTexts: false };
      tell(t("chapters.moved", { title: row.title }) + aboutNumbers(same), undo);
    });

  return {
    rename: (row: ChapterRow, title: string) =>
      run(async () => {
        const wanted = title.trim();
        if (wanted === "" || wanted === row.title) return;
        await save();
        const { same } = await apply([{ action: "rename", chapter: nameOf(row), title: wanted }]);
        await refreshChapters(project);
        if (same.length > 0) tell(aboutNumbers(same).trim());
      }),
    step: (row: ChapterRow, by: 1 | -1) => move(row, moveStep(list(), row, by)),
    drop: (row: ChapterRow, target: ChapterRow, side: Side) =>
      move(row, moveBeside(list(), row, target, side)),
    /** Moves a chapter by edits that the caller has made. */
    place: (row: ChapterRow, edits: readonly ChapterEdit[]) => move(row, edits),
    /** Whether a chapter has that number. */
    moveTo: (row: ChapterRow, number: number): boolean => {
      const edits = moveToNumber(list(), row, number);
      if (edits) void move(row, edits);
      return edits !== undefined;
    },
    /** Adds an empty chapter beside `target`, or at the end of the book, and opens it. */
    add: (target?: ChapterRow, side: Side = "after") =>
      run(async () => {
        await save();
        const rows = list();
        const { index, volume, after, pushed } = positionOf(rows, target, side);
        const title = titleAt(rows, index, volume);
        const insert: ChapterEdit = {
          action: "insert",
          after: after ? nameOf(after) : null,
          title,
          text: "",
        };
        const added = (await apply([insert])).rows.find((row) => row.title === title);
        if (!added) throw new Error("the new chapter is not in the list");
        const name = nameOf(added);
        if (pushed) await apply([{ action: "move", chapter: nameOf(pushed), after: name }]);
        const document = added.documents[0] ?? (await addText(project, title, added.node ?? null));
        await apply(placeText(rows, name, index, volume));
        useChapterState.getState().wantCaret(document);
        await refreshChapters(project);
        visit(document);
      }),
    /** Gives a planned chapter an empty text, and opens it. */
    begin: (row: ChapterRow) =>
      run(async () => {
        const rows = list();
        const index = indexOf(rows, row);
        const others = rows.filter((_, place) => place !== index);
        const document = await addText(project, row.title, row.node ?? null);
        await apply(placeText(others, nameOf(row), index, volumeOf(row)));
        useChapterState.getState().wantCaret(document);
        await refreshChapters(project);
        visit(document);
      }),
    split: (row: ChapterRow) =>
      run(async () => {
        const open = openOf(row);
        if (!open || !(await save(row))) return;
        const point = open.splitPoint();
        if (!point) return refuse(t("chapters.split_suggestions"));
        if ("missing" in point) return refuse(t(`chapters.split_${point.missing}`));
        const rows = list();
        const index = indexOf(rows, row) + 1;
        const title = titleAt(rows, index, volumeOf(row));
        const edit: ChapterEdit = { action: "split", chapter: nameOf(row), at: point.words, title };
        const { rows: left, changes, same } = await apply([edit]);
        const second = left.find((found) => found.title === title);
        const document = second && addressOf(second);
        useChapterState.getState().wantCaret(document);
        await refreshChapters(project);
        if (document) visit(document);
        const undo = { changes, back: open.document, isOfTexts: true };
        tell(t("chapters.split_done", { title }) + aboutNumbers(same), undo);
      }),
    join: (row: ChapterRow) =>
      run(async () => {
        const rows = list();
        const next = rows[indexOf(rows, row) + 1];
        if (!next) return refuse(t("chapters.trouble.no_next"));
        if (!(await save(row, next))) return;
        const here = chapterHere(project);
        const { rows: left, changes } = await apply([{ action: "join", chapter: nameOf(row) }]);
        const joined = left.find((found) => nameOf(found) === nameOf(row)) ?? left[indexOf(rows, row)];
        const isInSecond = isNamed(next, here);
        if (isInSecond && joined && !isNamed(joined, here)) visit(addressOf(joined));
        await refreshChapters(project);
        // The page that opens now loads its text by itself.
        if (!isInSecond) reopen(openOf(row)?.document);
        const undo = { changes, back: isInSecond ? here : undefined, isOfTexts: true };
        tell(t("chapters.joined", { title: row.title, next: next.title }), undo);
      }),
    remove: (row: ChapterRow) =>
      run(async () => {
        if (!(await save(row))) return;
        const rows = list();
        const here = chapterHere(project);
        const { changes } = await apply([{ action: "delete", chapter: nameOf(row) }]);
        const isHere = isNamed(row, here);
        if (isHere) {
          const index = indexOf(rows, row);
          const neighbour = rows[index + 1] ?? rows[index - 1];
          go(neighbour ? at.chapter(project, addressOf(neighbour)) : at.place(project, "write"));
        }
        await refreshChapters(project);
        const undo = { changes, back: isHere ? here : undefined, isOfTexts: false };
        tell(t("chapters.deleted", { title: row.title }), undo);
      }),
    undo: ({ changes, back, isOfTexts }: Undo) =>
      run(async () => {
        if (!(await save(...(isOfTexts ? list() : [])))) return;
        for (const change of changes) await undoChange(project, change);
        const isThere = list().some((row) => isNamed(row, back));
        if (back !== undefined && isThere) visit(back);
        await refreshChapters(project);
        if (back !== undefined && !isThere) visit(back);
        if (isOfTexts) reopen(openOf()?.document);
        tell(t("chapters.undone"));
      }),
  };
}

function reopen(document: string | undefined): void {
  if (document !== undefined) useChapterState.getState().reopen(document);
}

/** The last part of the address, if a chapter of this project is open. */
function chapterHere(project: string): string | undefined {
  const start = at.chapter(project, "");
  const { pathname } = window.location;
  return pathname.startsWith(start) ? decodeURIComponent(pathname.slice(start.length)) : undefined;
}
