import { Extension } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import { type EditorState, Plugin, PluginKey, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { type Anchor, anchorOf, locate } from "./anchor";
import type { Hunk } from "./compare";
import { choice, choicesAt, follow, inserted, meantOf, nextOf, put } from "./inText";
import styles from "./Prose.module.css";
import { offsetAt, positionAt, textOf } from "./text";

/** One change of a proposal: the words of the anchor, at `from` to `to` in the document, would become `text`. */
export type Piece = {
  id: number;
  anchor: Anchor;
  from: number;
  to: number;
  text: string;
  /** Whether the words that it was made for still stand there. */
  stands: boolean;
};

/** The answer to one order: not part of the text until the author takes it. */
export type Proposal = {
  /** The order that it answers. */
  id: string;
  /** The place that the order is for, in positions of the document. */
  from: number;
  to: number;
  /** Whether the agent is still at work on it. */
  isWorking: boolean;
  pieces: readonly Piece[];
};

/** A change kept apart from a document: found again by its anchor. */
export type KeptPiece = { anchor: Anchor; text: string };

type Held = { proposals: readonly Proposal[]; active: number | undefined; drawn: DecorationSet };
type Taken = {
  proposal: string;
  id: number;
  order: number;
  from: number;
  firstStep: number;
  lastStep: number;
};
type Meta =
  | { put: Proposal }
  | { drop: readonly number[]; taken: readonly Taken[] }
  | { close: string }
  | { active: number | undefined };

const KEY = new PluginKey<Held>("proposals");
let made = 0;

export function proposalsOf(state: EditorState): readonly Proposal[] {
  return KEY.getState(state)?.proposals ?? [];
}

/** Returns all changes that are open, in the order of the text. */
export function piecesOf(state: EditorState): Piece[] {
  return proposalsOf(state)
    .flatMap(({ pieces }) => pieces)
    .sort((a, b) => a.from - b.from || a.id - b.id);
}

/** Marks the place of an order; edits move the mark until the answer comes. */
export function mark(state: EditorState, id: string, from: number, to: number): Transaction {
  return quiet(state, { put: { id, from, to, isWorking: true, pieces: [] } });
}

/**
 * Shows the answer to an order. Each change is placed at the words that it was made for, wherever edits have moved them
 * since; one whose words are gone is kept and marked as such.
 *
 * `start` is where the place of the order began in the text that the anchors were made for.
 */
export function open(state: EditorState, id: string, kept: readonly KeptPiece[], start: number): Transaction {
  const text = textOf(state.doc);
  const known = proposalsOf(state).find((one) => one.id === id);
  const origin = known && offsetAt(state.doc, known.from);
  const pieces = kept.map(({ anchor, text: put }): Piece => {
    const tracked = origin === undefined ? undefined : origin + anchor.at - start;
    const found = locate(text, anchor, tracked);
    const at = Math.max(0, Math.min(tracked ?? anchor.at, text.length));
    const { from, to } = found ?? { from: at, to: at };
    return {
      id: ++made,
      anchor,
      text: put,
      from: positionAt(text, from),
      to: positionAt(text, to),
      stands: found !== undefined,
    };
  });
  const from = pieces[0]?.from ?? known?.from ?? 1;
  return quiet(state, {
    put: { id, from, to: pieces[pieces.length - 1]?.to ?? from, isWorking: false, pieces },
  });
}

/** Takes a proposal away; the text stays as it is. */
export function close(state: EditorState, id: string): Transaction {
  return quiet(state, { close: id });
}

/** Puts changes into the text, as one step that can be undone by itself. */
export function take(state: EditorState, ids: readonly number[]): Transaction | null {
  const chosen = proposalsOf(state).flatMap((proposal) =>
    proposal.pieces.flatMap((piece, order) =>
      ids.includes(piece.id) ? [{ proposal: proposal.id, piece, order }] : [],
    ),
  );
  if (chosen.length === 0) return null;
  // From the end, so that no position of what is left is moved; of several at one place the last goes in first.
  chosen.sort((a, b) => b.piece.from - a.piece.from || b.order - a.order);
  const step = closeHistory(state.tr);
  const taken = chosen.map(({ proposal, piece, order }): Taken => {
    const firstStep = step.steps.length;
    put(step, piece, piece.text);
    const { id, from } = piece;
    return { proposal, id, order, from, firstStep, lastStep: step.steps.length };
  });
  return step.setMeta(KEY, { drop: ids, taken } satisfies Meta).scrollIntoView();
}

/** Takes changes away; the text stays as it is. */
export function discard(state: EditorState, ids: readonly number[]): Transaction {
  return quiet(state, { drop: ids, taken: [] });
}

/** Marks one change as the one that is looked at. */
export function activatePiece(state: EditorState, id: number | undefined): Transaction {
  return quiet(state, { active: id });
}

/** The change that a key means: the one that is looked at, else the one at the caret or after it. */
export function meantPiece(state: EditorState): Piece | undefined {
  return meantOf(piecesOf(state), KEY.getState(state)?.active, state.selection.from);
}

/** The change after the one that is looked at, or before it; from the other end if there is none. */
export function nextPiece(state: EditorState, step: 1 | -1): Piece | undefined {
  return nextOf(piecesOf(state), KEY.getState(state)?.active, state.selection.from, step);
}

/** Returns the words that stand where a change would be made. */
export function wordsAt(document: Node, { from, to }: { from: number; to: number }): string {
  return document.textBetween(from, to, "\n");
}

/** Returns the changes of a proposal with anchors in the text as it is now, to be shown again later. */
export function keptOf(state: EditorState, id: string): KeptPiece[] {
  const text = textOf(state.doc);
  const proposal = proposalsOf(state).find((one) => one.id === id);
  return (proposal?.pieces ?? []).map((piece) => ({
    text: piece.text,
    anchor: piece.stands
      ? anchorOf(text, offsetAt(state.doc, piece.from), offsetAt(state.doc, piece.to))
      : { ...piece.anchor, at: offsetAt(state.doc, piece.from) },
  }));
}

/** Returns changes of `base` as they are kept. */
export function keep(base: string, changes: readonly Hunk[]): KeptPiece[] {
  return changes.map(({ from, to, text }) => ({ anchor: anchorOf(base, from, to), text }));
}

function quiet({ tr }: EditorState, meta: Meta): Transaction {
  return tr.setMeta(KEY, meta).setMeta("addToHistory", false);
}

export type ProposalLabels = { take(): string; discard(): string; changed(): string; working(): string };
type Options = {
  labels: ProposalLabels;
  onDecide(id: number, isTaken: boolean): void;
  /** Asks to see a change whose words have changed beside what stands there now. */
  onCompare(): void;
};

/** Proposals as they are seen in the text. */
export const ProposalLayer = Extension.create<Options>({
  name: "proposals",
  addOptions: () => ({
    labels: { take: () => "", discard: () => "", changed: () => "", working: () => "" },
    onDecide: () => undefined,
    onCompare: () => undefined,
  }),
  addProseMirrorPlugins() {
    return [proposalPlugin(this.options)];
  },
});

export function proposalPlugin(options: Options): Plugin<Held> {
  const drawn = (document: Node, proposals: readonly Proposal[], active: number | undefined) =>
    DecorationSet.create(
      document,
      proposals.flatMap((proposal) => draw(document, proposal, active, options)),
    );
  return new Plugin<Held>({
    key: KEY,
    state: {
      init: () => ({ proposals: [], active: undefined, drawn: DecorationSet.empty }),
      apply(transaction, held) {
        const meta = transaction.getMeta(KEY) as Meta | undefined;
        if (!meta && !transaction.docChanged) return held;
        if (!meta && held.proposals.length === 0) return held;
        const taken = meta && "taken" in meta ? meta.taken : [];
        const moved = transaction.docChanged
          ? held.proposals.map((proposal) => moveProposal(proposal, transaction, taken))
          : held.proposals;
        const isSame =
          !meta && moved.every((proposal, index) => isAlike(proposal, held.proposals[index] ?? proposal));
        if (isSame) {
          return {
            ...held,
            proposals: moved,
            drawn: held.drawn.map(transaction.mapping, transaction.doc),
          };
        }
        const next = { proposals: moved, active: held.active, ...(meta ? changeOf(meta, moved) : {}) };
        return { ...next, drawn: drawn(transaction.doc, next.proposals, next.active) };
      },
    },
    props: { decorations: (state) => KEY.getState(state)?.drawn },
  });
}

/** Whether two states of a proposal are drawn the same way. */
function isAlike(one: Proposal, other: Proposal): boolean {
  return one.pieces.every((piece, index) => piece.stands === other.pieces[index]?.stands);
}

function changeOf(meta: Meta, proposals: readonly Proposal[]): Partial<Held> {
  if ("put" in meta) {
    const others = proposals.filter(({ id }) => id !== meta.put.id);
    return { proposals: [...others, meta.put] };
  }
  if ("close" in meta)
    return { proposals: proposals.filter(({ id }) => id !== meta.close), active: undefined };
  if ("active" in meta) return { active: meta.active };
  const left = proposals.map((proposal) => ({
    ...proposal,
    pieces: proposal.pieces.filter(({ id }) => !meta.drop.includes(id)),
  }));
  return { proposals: left.filter((one) => one.isWorking || one.pieces.length > 0), active: undefined };
}

/** Moves a proposal with an edit, and looks again for words that no longer stand where they were. */
function moveProposal(proposal: Proposal, transaction: Transaction, taken: readonly Taken[]): Proposal {
  const { mapping, doc } = transaction;
  const mine = taken.filter((one) => one.proposal === proposal.id);
  let text: string | undefined;
  const pieces = proposal.pieces.map((piece, order): Piece => {
    const { from, to } = movePiece(piece, order, transaction, mine);
    const { quote } = piece.anchor;
    if (quote === "" || wordsAt(doc, { from, to }) === quote) return { ...piece, from, to, stands: true };
    if (mine.some(({ id }) => id === piece.id)) return { ...piece, from, to };
    text ??= textOf(doc);
    const found = locate(text, piece.anchor, offsetAt(doc, from));
    if (!found) return { ...piece, from, to, stands: false };
    return { ...piece, from: positionAt(text, found.from), to: positionAt(text, found.to), stands: true };
  });
  return { ...proposal, ...follow(proposal, mapping), pieces };
}

/** A place moves with the text; one where a later change of the same proposal goes in stays before it. */
function movePiece(piece: Piece, order: number, { mapping }: Transaction, taken: readonly Taken[]) {
  if (piece.from !== piece.to || taken.length === 0) return follow(piece, mapping);
  const at = mapping.maps.reduce((position, step, index) => {
    const one = taken.find(({ firstStep, lastStep }) => firstStep <= index && index < lastStep);
    return step.map(position, one && one.from === piece.from && one.order > order ? -1 : 1);
  }, piece.from);
  return { from: at, to: at };
}

function draw(
  document: Node,
  proposal: Proposal,
  active: number | undefined,
  options: Options,
): Decoration[] {
  const { from, to, isWorking } = proposal;
  if (isWorking) {
    if (from < to) return [Decoration.inline(from, to, { class: styles.working ?? "" })];
    return [
      Decoration.widget(from, () => workingDot(options), {
        side: 1,
        key: `working-${proposal.id}`,
        ignoreSelection: true,
      }),
    ];
  }
  return proposal.pieces.flatMap((piece) => drawPiece(document, piece, piece.id === active, options));
}

function drawPiece(document: Node, piece: Piece, isActive: boolean, options: Options): Decoration[] {
  const { id, from, to, stands } = piece;
  const active = isActive ? ` ${styles.active}` : "";
  const widget = Decoration.widget(choicesAt(document, piece), () => widgetOf(piece, isActive, options), {
    // After the words that it replaces, and the changes of one place in their order.
    side: 1 + id / 1e9,
    key: `proposal-${id}-${isActive}-${stands}`,
    ignoreSelection: true,
    stopEvent: () => true,
  });
  if (from === to || !stands) return [widget];
  return [Decoration.inline(from, to, { nodeName: "del", class: styles.removed + active }), widget];
}

function widgetOf(piece: Piece, isActive: boolean, { labels, onDecide, onCompare }: Options): HTMLElement {
  const widget = document.createElement("span");
  widget.className = `${styles.suggestion} ${styles.proposal}${isActive ? ` ${styles.active}` : ""}`;
  widget.contentEditable = "false";
  widget.dataset.proposal = String(piece.id);
  const choices = document.createElement("span");
  choices.className = styles.choices ?? "";
  const { id, text } = piece;
  if (piece.stands) {
    const words = inserted(text);
    if (words.textContent !== "") widget.append(words);
    choices.append(choice("✓", labels.take(), text, () => onDecide(id, true)));
  } else choices.append(choice("≠", labels.changed(), text, onCompare));
  choices.append(choice("✕", labels.discard(), text, () => onDecide(id, false)));
  widget.append(choices);
  return widget;
}

function workingDot({ labels }: Options): HTMLElement {
  const dot = document.createElement("span");
  dot.className = styles.workingDot ?? "";
  dot.contentEditable = "false";
  dot.title = labels.working();
  return dot;
}
