import type { CommentRow } from "../api/schema";
import { locate, type Range } from "./anchor";
import type { Mark } from "./layer";

/** Returns the offset behind `count` characters; a pair of surrogates is one character. */
export function offsetOfCharacter(text: string, count: number): number {
  let offset = 0;
  let passed = 0;
  for (const character of text) {
    if (passed === count) break;
    passed++;
    offset += character.length;
  }
  return offset;
}

/** Returns the range of a comment's words in the local text, which may be newer than the server's. */
export function placeOfComment(text: string, { quote, place }: CommentRow): Range | undefined {
  if (!place) return undefined;
  const at = offsetOfCharacter(text, place.from);
  return locate(text, { quote, before: "", after: "", at, isUnique: true });
}

/** Returns the marks of the open comments; the selected comment is marked more clearly. */
export function commentMarks(
  text: string,
  comments: readonly CommentRow[],
  seen: string | undefined,
  classes: { comment: string; seen: string },
): Mark[] {
  return comments
    .filter(({ resolved, id }) => !resolved || id === seen)
    .flatMap((comment) => {
      const place = placeOfComment(text, comment);
      if (!place) return [];
      const name = comment.id === seen ? `${classes.comment} ${classes.seen}` : classes.comment;
      return [{ ...place, attributes: { class: name, "data-comment": comment.id } }];
    });
}

/** Returns the remarks of a thread, oldest first, as an instruction for an agent. */
export function orderOf({ thread }: CommentRow): string {
  return thread
    .map(({ text }) => (text ?? "").trim())
    .filter((text) => text !== "")
    .join("\n");
}
