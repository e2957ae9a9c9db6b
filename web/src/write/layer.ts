import { Extension } from "@tiptap/core";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { positionAt, textOf } from "./text";

/** A passage that is drawn otherwise, by its place in the text; or the whole line that it is. */
export type Mark = { from: number; to: number; attributes: Record<string, string>; isLine?: boolean };

/** A kind of marks over the text that are no part of it; they move with it while it is edited. */
export function layer(name: string) {
  const key = new PluginKey<DecorationSet>(name);
  return {
    extension: Extension.create({
      name,
      addProseMirrorPlugins: () => [
        new Plugin<DecorationSet>({
          key,
          state: {
            init: () => DecorationSet.empty,
            apply: (transaction, held) =>
              (transaction.getMeta(key) as DecorationSet | undefined) ??
              (transaction.docChanged ? held.map(transaction.mapping, transaction.doc) : held),
          },
          props: { decorations: (state) => key.getState(state) },
        }),
      ],
    }),
    /** Draws these instead of those that are drawn. */
    draw(state: EditorState, marks: readonly Mark[]): Transaction {
      const text = textOf(state.doc);
      const drawn = marks.map(({ from, to, attributes, isLine }) => {
        const [start, end] = [positionAt(text, from), positionAt(text, to)];
        return isLine
          ? Decoration.node(start - 1, end + 1, attributes, attributes)
          : Decoration.inline(start, end, attributes, attributes);
      });
      return state.tr.setMeta(key, DecorationSet.create(state.doc, drawn)).setMeta("addToHistory", false);
    },
    /** Returns their current ranges, in positions of the document; the attributes of each are its `spec`. */
    drawn: (state: EditorState) => key.getState(state)?.find() ?? [],
  };
}

export const findingLayer = layer("findings");
export const commentLayer = layer("comments");
export const matchLayer = layer("matches");
export const pauseLayer = layer("pauses");
/** Bold and italic words, and the asterisks that mark them. */
export const emphasisLayer = layer("emphasis");
/** The words that a command is for, while its own words are typed elsewhere. */
export const targetLayer = layer("targets");
/** The name that the mouse points at. */
export const nameLayer = layer("names");

const PAUSE = /^[ \t\u3000]*(?:[*＊※·#◇◆—-][ \t\u3000]*){1,9}$/gmu;

/** The lines that only part scenes, as `***`. */
export function pausesIn(text: string): { from: number; to: number }[] {
  return Array.from(text.matchAll(PAUSE), ({ index, 0: line }) => ({ from: index, to: index + line.length }));
}
