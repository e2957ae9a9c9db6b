import type { Node } from "@tiptap/pm/model";
import { Fragment, type Schema, Slice } from "@tiptap/pm/model";
import type { EditorState } from "@tiptap/pm/state";
import type { Range } from "./anchor";

/** The longest chapter that is edited; longer ones are only shown. */
export const LONGEST = 100_000;

/** Every line of a chapter is a paragraph, empty ones too, so that nothing is lost on the way. */
export function paragraphsOf(text: string): string[] {
  return text.split("\n");
}

type ParagraphShape = { type: "paragraph"; content?: { type: "text"; text: string }[] };
export type DocumentShape = { type: "doc"; content: ParagraphShape[] };

/** The text as the editor's document. */
export function documentOf(text: string): DocumentShape {
  return {
    type: "doc",
    content: paragraphsOf(text).map((line) =>
      line === "" ? { type: "paragraph" } : { type: "paragraph", content: [{ type: "text", text: line }] },
    ),
  };
}

/** The text of the editor's document. */
export function textOf(document: Node): string {
  const lines: string[] = [];
  document.forEach((paragraph) => {
    lines.push(paragraph.textContent);
  });
  return lines.join("\n");
}

/** Where a place in the text is in the document: a line's end counts one there, and two here. */
export function positionAt(text: string, offset: number): number {
  let lines = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < offset; end = text.indexOf("\n", end + 1)) lines++;
  return 1 + offset + lines;
}

/** Where a position of the document is in its text. */
export function offsetAt(document: Node, position: number): number {
  const inside = Math.max(1, Math.min(position, document.content.size - 1));
  return inside - 1 - document.resolve(inside).index(0);
}

/** Returns the selection as offsets of the text. */
export function selectionIn({ doc, selection }: EditorState): Range {
  return { from: offsetAt(doc, selection.from), to: offsetAt(doc, selection.to) };
}

/** Returns the selection without the white space at its ends; `undefined` if no words are selected. */
export function selectedWords(state: EditorState): Range | undefined {
  const { from, to } = selectionIn(state);
  const words = textOf(state.doc).slice(from, to);
  const start = from + words.length - words.trimStart().length;
  const end = to - (words.length - words.trimEnd().length);
  return start < end ? { from: start, to: end } : undefined;
}

/** A text, lines and all, as it goes into the place of another. */
export function sliceOf(schema: Schema, text: string): Slice {
  const paragraph = schema.nodes.paragraph;
  if (text === "" || !paragraph) return Slice.empty;
  const lines = paragraphsOf(text).map((line) =>
    paragraph.create(null, line === "" ? null : schema.text(line)),
  );
  return new Slice(Fragment.from(lines), 1, 1);
}
