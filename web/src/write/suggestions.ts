import { Extension } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { applied, type Hunk } from "./compare";
import { choice, choicesAt, follow, inserted, meantOf, nextOf, put } from "./inText";
import styles from "./Prose.module.css";
import { offsetAt, positionAt, textOf } from "./text";

/** Who suggests: an agent's text is on the server already; a tidied one, or what stood there once, is not. */
export type Origin = "agent" | "tidy" | "past";
/** What stands from `from` to `to` in the document is to become `text`. */
export type Suggestion = { id: number; from: number; to: number; text: string };
export type Suggestions = { origin: Origin; items: readonly Suggestion[]; active: number | undefined };

type Held = Suggestions & { drawn: DecorationSet };
type Meta =
  | { origin: Origin; items: Suggestion[] }
  | { drop: readonly number[] }
  | { active: number | undefined };

const KEY = new PluginKey<Held>("suggestions");
let made = 0;

/** What is suggested at the moment. */
export function suggestionsOf(state: EditorState): Suggestions {
  return KEY.getState(state) ?? { origin: "agent", items: [], active: undefined };
}

/** Shows changes of the document's text instead of those that are shown. */
export function suggest(state: EditorState, changes: readonly Hunk[], origin: Origin): Transaction {
  const text = textOf(state.doc);
  const items = changes.map((change) => ({
    id: ++made,
    from: positionAt(text, change.from),
    to: positionAt(text, change.to),
    text: change.text,
  }));
  return quiet(state.tr, { origin, items });
}

/** Makes suggestions part of the text, as one step that can be undone by itself. */
export function accept(state: EditorState, ids: readonly number[]): Transaction | null {
  const items = suggestionsOf(state).items.filter(({ id }) => ids.includes(id));
  if (items.length === 0) return null;
  const step = closeHistory(state.tr);
  for (const item of [...items].sort((a, b) => b.from - a.from)) put(step, item, item.text);
  return step.setMeta(KEY, { drop: ids } satisfies Meta).scrollIntoView();
}

/** Takes suggestions away; the text stays as it is. */
export function refuse(state: EditorState, ids: readonly number[]): Transaction {
  return quiet(state.tr, { drop: ids });
}

/** Marks one as the one that is looked at. */
export function activate(state: EditorState, id: number | undefined): Transaction {
  return quiet(state.tr, { active: id });
}

/** The text with what agents suggest: so it stands on the server until the author decides otherwise. */
export function textWithAgents(state: EditorState): string {
  const text = textOf(state.doc);
  const { origin, items } = suggestionsOf(state);
  if (origin !== "agent" || items.length === 0) return text;
  return applied(
    text,
    items.map((item) => ({
      from: offsetAt(state.doc, item.from),
      to: offsetAt(state.doc, item.to),
      text: item.text,
    })),
  );
}

/** Makes the document's text another with as few changes as there are, in one step. */
export function becoming(state: EditorState, changes: readonly Hunk[]): Transaction {
  const text = textOf(state.doc);
  const step = closeHistory(state.tr);
  for (const change of [...changes].sort((a, b) => b.from - a.from)) {
    put(step, { from: positionAt(text, change.from), to: positionAt(text, change.to) }, change.text);
  }
  return step.setMeta(KEY, { origin: "agent", items: [] } satisfies Meta);
}

/** The one at the caret or after it, or before it if `step` is -1; from the other end if there is none. */
export function nextTo(state: EditorState, step: 1 | -1): Suggestion | undefined {
  const { items, active } = suggestionsOf(state);
  return nextOf(items, active, state.selection.from, step);
}

/** The one that a key means: the one that is looked at, else the one at the caret or after it. */
export function meant(state: EditorState): Suggestion | undefined {
  const { items, active } = suggestionsOf(state);
  return meantOf(items, active, state.selection.from);
}

function quiet(transaction: Transaction, meta: Meta): Transaction {
  return transaction.setMeta(KEY, meta).setMeta("addToHistory", false);
}

export type Labels = { accept(): string; refuse(): string; joined(): string };
type Options = { labels: Labels; onDecide(id: number, isAccepted: boolean): void };

/** Suggestions as they are seen in the text: what would go is struck through, what would come stands after it. */
export const SuggestionLayer = Extension.create<Options>({
  name: "suggestions",
  addOptions: () => ({
    labels: { accept: () => "", refuse: () => "", joined: () => "" },
    onDecide: () => undefined,
  }),
  addProseMirrorPlugins() {
    const options = this.options;
    const drawn = (document: Node, items: readonly Suggestion[], active: number | undefined) =>
      DecorationSet.create(
        document,
        items.flatMap((item) => draw(document, item, item.id === active, options)),
      );
    return [
      new Plugin<Held>({
        key: KEY,
        state: {
          init: (_, { doc }) => ({
            origin: "agent",
            items: [],
            active: undefined,
            drawn: drawn(doc, [], undefined),
          }),
          apply(transaction, held) {
            const meta = transaction.getMeta(KEY) as Meta | undefined;
            if (!meta && !transaction.docChanged) return held;
            const moved = held.items.map((item) => ({ ...item, ...follow(item, transaction.mapping) }));
            if (!meta) {
              return { ...held, items: moved, drawn: held.drawn.map(transaction.mapping, transaction.doc) };
            }
            const next = { origin: held.origin, items: moved, active: held.active, ...changeOf(meta, moved) };
            return { ...next, drawn: drawn(transaction.doc, next.items, next.active) };
          },
        },
        props: { decorations: (state) => KEY.getState(state)?.drawn },
      }),
    ];
  },
});

function changeOf(meta: Meta, items: Suggestion[]): Partial<Suggestions> {
  if ("items" in meta) return { origin: meta.origin, items: meta.items, active: undefined };
  if ("drop" in meta) return { items: items.filter(({ id }) => !meta.drop.includes(id)), active: undefined };
  return { active: meta.active };
}

function draw(document: Node, item: Suggestion, isActive: boolean, options: Options): Decoration[] {
  const { from, to } = item;
  const active = isActive ? ` ${styles.active}` : "";
  const widget = Decoration.widget(
    choicesAt(document, item),
    (view) => widgetOf(view, item, isActive, options),
    {
      side: 1,
      key: `suggestion-${item.id}-${isActive}`,
      ignoreSelection: true,
      stopEvent: () => true,
    },
  );
  if (from === to) return [widget];
  return [Decoration.inline(from, to, { nodeName: "del", class: styles.removed + active }), widget];
}

function widgetOf(
  view: EditorView,
  item: Suggestion,
  isActive: boolean,
  { labels, onDecide }: Options,
): HTMLElement {
  const widget = document.createElement("span");
  widget.className = `${styles.suggestion}${isActive ? ` ${styles.active}` : ""}`;
  widget.contentEditable = "false";
  widget.dataset.suggestion = String(item.id);
  const words = inserted(item.text);
  const isJoin = item.text === "" && view.state.doc.textBetween(item.from, item.to, "\n").trim() === "";
  if (isJoin) words.textContent = labels.joined();
  if (words.textContent !== "") widget.append(words);
  const choices = document.createElement("span");
  choices.className = styles.choices ?? "";
  choices.append(
    choice("✓", labels.accept(), item.text, () => onDecide(item.id, true)),
    choice("✕", labels.refuse(), item.text, () => onDecide(item.id, false)),
  );
  widget.append(choices);
  return widget;
}
