import { create } from "zustand";
import type { SplitPoint } from "./split";

/** The chapter in the editor, as far as edits of the chapter list need it. */
export type OpenChapter = {
  project: string;
  document: string;
  /** Saves the text. Resolves to whether the server has all of it; if not, this browser keeps a draft. */
  save(): Promise<boolean>;
  /** Returns the words behind the caret; undefined while suggestions are open, since the text is not decided then. */
  splitPoint(): SplitPoint | undefined;
};

/** The changes that Undo takes back. */
export type Undo = {
  /** In the order in which they are taken back. */
  changes: number[];
  /** The chapter to return to. */
  back: string | undefined;
  /** Whether texts changed, so that the open one must be loaded again. */
  isOfTexts: boolean;
};

/** The result of an edit, in the author's words. */
export type Notice = { project: string; text: string; isFailure: boolean; undo: Undo | undefined };

type ChapterState = {
  open: OpenChapter | undefined;
  /** How often each document was loaded again after its chapter was edited. */
  openings: Readonly<Record<string, number>>;
  /** The document in which the caret is to be when it opens. */
  caret: string | undefined;
  notice: Notice | undefined;
  isBusy: boolean;
  /** Registers the chapter in the editor; the returned function takes it out again. */
  register(open: OpenChapter): () => void;
  reopen(document: string): void;
  wantCaret(document: string | undefined): void;
  notify(notice: Notice | undefined): void;
  setBusy(isBusy: boolean): void;
};

/** The state that the tree of chapters and the editor share. */
export const useChapterState = create<ChapterState>((set, get) => ({
  open: undefined,
  openings: {},
  caret: undefined,
  notice: undefined,
  isBusy: false,
  register: (open) => {
    set({ open });
    return () => {
      if (get().open === open) set({ open: undefined });
    };
  },
  reopen: (document) =>
    set(({ openings }) => ({ openings: { ...openings, [document]: (openings[document] ?? 0) + 1 } })),
  wantCaret: (caret) => set({ caret }),
  notify: (notice) => set({ notice }),
  setBusy: (isBusy) => set({ isBusy }),
}));
