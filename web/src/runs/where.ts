import { create } from "zustand";

/** The chapter that is open on the page. */
type OpenChapter = { project: string; id: string };

/** The selection in the open chapter; its length is 0 if there is only a caret. */
export type Selected = { length: number; caret: number };

/** The open chapter's editor, as far as the agents' column needs it. */
export type Desk = {
  project: string;
  /** Puts a text at the caret, as one step that can be undone. */
  insert(text: string): void;
  /** Saves the chapter, and gives the selection in characters of the text that the server has then. */
  selection(): Promise<[number, number] | undefined>;
};

type Where = {
  chapter: OpenChapter | undefined;
  selected: Selected | undefined;
  desk: Desk | undefined;
  set(some: Partial<Pick<Where, "chapter" | "selected" | "desk">>): void;
};

/** The author's place in the book: set by the open page, read when an order is given. */
export const useWhere = create<Where>((set) => ({
  chapter: undefined,
  selected: undefined,
  desk: undefined,
  set: (some) => set(some),
}));

/** The part of the author's place that is sent with an order. */
export type Place = {
  /** The id of the chapter that it is for; none for the whole book. */
  chapter: string | undefined;
  /** The part that may be changed, in characters from and to. */
  range: [number, number] | undefined;
  caret: number | undefined;
  /** The page on which it was given. */
  view: string;
};
