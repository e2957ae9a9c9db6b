import type { OutlineNodeKind } from "../api/schema";
import type { OutlineNode } from "../api/story";
import type { Book } from "./book";
import type { Drop, OutlineRow, Way } from "./outline";

/** What the looks of the outline share: what is shown, what is chosen, and what can be done. */
export type OutlineDesk = {
  book: Book;
  rows: OutlineRow[];
  active: string;
  editing: string | undefined;
  renaming: string | undefined;
  error: Error | null;
  isBusy: boolean;
  activate(id: string): void;
  edit(id: string | undefined): void;
  startRename(id: string | undefined): void;
  turn(id: string, isOpen: boolean): void;
  rename(id: string, name: string): void;
  remove(id: string): void;
  step(id: string, way: Way): void;
  drop(id: string, onto: string, drop: Drop): void;
  mayDrop(id: string, onto: string, drop: Drop): boolean;
  add(kind: OutlineNodeKind, below?: OutlineNode): void;
};
