import type { Promise_ } from "../api/story";
import type { Book } from "./book";

/** How a promise stands. */
export type Standing = "overdue" | "open" | "late" | "paid" | "loose";

/** A promise over the chapters. */
export type Entry = {
  promise: Promise_;
  planted: number[];
  advanced: number[];
  due: number | undefined;
  paid: number[];
  standing: Standing;
};

const order: readonly Standing[] = ["overdue", "open", "loose", "late", "paid"];

/** All promises, those first that wait, of these the most important. */
export function ledger(book: Book): Entry[] {
  const entries = book.story.promises.map((promise) => entry(book, promise));
  return entries.sort(
    (a, b) =>
      order.indexOf(a.standing) - order.indexOf(b.standing) ||
      b.promise.importance - a.promise.importance ||
      (a.planted[0] ?? 0) - (b.planted[0] ?? 0),
  );
}

function entry(book: Book, promise: Promise_): Entry {
  const numbers = (words: readonly string[]) => {
    const found = words.map((word) => book.chapterOf(word)).filter((number) => number !== undefined);
    return [...new Set(found)].sort((a, b) => a - b);
  };
  const places = {
    planted: numbers(promise.planted),
    advanced: numbers(promise.advanced),
    due: book.chapterOf(promise.due),
    paid: numbers(promise.paid),
  };
  return { promise, ...places, standing: standing(places, promise, book.written) };
}

/** `loose` is what was never planted. What is paid in a chapter that is not written yet is still open. */
function standing(
  { planted, due, paid }: Pick<Entry, "planted" | "due" | "paid">,
  promise: Promise_,
  written: number,
): Standing {
  const first = paid[0];
  const isPaid = promise.paid.length > 0 && (first === undefined || first <= written);
  if (isPaid) return due !== undefined && first !== undefined && first > due ? "late" : "paid";
  if (due !== undefined && due <= written) return "overdue";
  return planted.length === 0 && promise.planted.length === 0 ? "loose" : "open";
}
