import { closeHistory } from "@tiptap/pm/history";
import type { Editor } from "@tiptap/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { anchorOf, locate } from "./anchor";
import { type Command, paragraphAt, type Tone } from "./caret";
import { carryOut, type Order, stopOrder, useOrders } from "./orders";
import { activatePiece, close, discard, keptOf, mark, nextPiece, open, proposalsOf, take } from "./proposals";
import type { Queue } from "./queue";
import { positionAt, selectedWords, selectionIn, textOf } from "./text";
import { type Editing, hasAgents } from "./useEditing";

/** The target of a command: the selection, the caret, or the paragraph at or before the caret. */
export type Target = "selection" | "caret" | "paragraph";

export type Proposing = {
  /** The orders of this chapter, oldest first. */
  orders: readonly Order[];
  /** Why the last command was not sent. */
  refusal: "unsaved" | "elsewhere" | "nothing" | undefined;
  forgive(): void;
  give(target: Target, command: Command, detail?: { tone?: Tone; words?: string }): void;
  /** Has an agent write another version of an answer, with another model if one is named. */
  again(order: Order, model?: string): void;
  /** Shows another version of an answer, from 0. */
  look(order: Order, version: number): void;
  decide(ids: readonly number[], isTaken: boolean): void;
  /** Takes all changes of an order whose words still stand, or all changes away. */
  decideOrder(id: string, isTaken: boolean): void;
  /** Goes to the next change, or the one before; not if there is none. */
  step(by: 1 | -1): boolean;
};

/** The commands of a chapter and what agents propose for it. */
export function useProposals(
  editing: Editing,
  project: string,
  document: string,
  language: "zh" | "en",
): Proposing {
  const { i18n } = useTranslation();
  const { editor, queue, keeper } = editing;
  const all = useOrders((state) => state.orders);
  const orders = useMemo(
    () => all.filter((order) => order.project === project && order.document === document),
    [all, project, document],
  );
  const [refusal, refuse] = useState<Proposing["refusal"]>();
  useShown(editing, orders);

  const give: Proposing["give"] = (target, command, detail = {}) => {
    refuse(undefined);
    const wanted = rangeOf(editor, target);
    if (!wanted) return refuse("nothing");
    const id = crypto.randomUUID();
    const now = textOf(editor.state.doc);
    const anchor = anchorOf(now, wanted.from, wanted.to);
    queue.push((state) => mark(state, id, positionAt(now, wanted.from), positionAt(now, wanted.to)));
    // Agents are told in the language of the book, whatever the language of the pages.
    const say = i18n.getFixedT(language);
    const tone = detail.tone ? say(`write.caret.tones.${detail.tone}`) : "";
    const words = detail.words?.trim() || say(`write.caret.say.${command}`, { tone });
    void send({ id, command, words, anchor, of: undefined }, wanted.from, undefined);
  };
  /** Sends an order to an agent; `at` is where its words stand, if they are known to be at one place. */
  const send = async (
    asked: Pick<Order, "id" | "command" | "words" | "anchor" | "of">,
    at: number | undefined,
    model: string | undefined,
  ): Promise<void> => {
    const { id, command, words, anchor } = asked;
    const { put, drop, change } = useOrders.getState();
    const order = {
      run: undefined,
      pieces: [],
      versions: [],
      infos: [],
      version: 0,
      error: undefined,
      failure: "",
    };
    put({ ...order, ...asked, project, document, status: "working", start: 0 });
    const undo = (why: Proposing["refusal"]) => {
      drop(id);
      queue.push((state) => close(state, id));
      refuse(why);
    };
    // The server works on its own text: the place is looked up there.
    await keeper.flush();
    const { is } = keeper.now();
    if (is === "offline" || is === "failed" || is === "conflict") return undo("unsaved");
    const base = keeper.held;
    const place = locate(base, anchor, hasAgents(editor) ? undefined : at);
    if (!place) return undo("elsewhere");
    change(id, { start: place.from });
    void carryOut(id, { project, document, command, words, base, model, ...place }, language);
  };
  const decide: Proposing["decide"] = (ids, isTaken) => {
    queue.push((state) => (isTaken ? take(state, ids) : discard(state, ids)));
    // The next words typed are a step of their own.
    if (isTaken) queue.push((state) => closeHistory(state.tr));
    queue.whenStill(() => dropDecided(editor));
  };
  const again: Proposing["again"] = (order, model) => {
    refuse(undefined);
    const { command, words, anchor } = order;
    void send({ id: crypto.randomUUID(), command, words, anchor, of: order.id }, undefined, model);
  };
  const look: Proposing["look"] = (order, version) => {
    if (order.versions[version]) showVersion(editor, queue, order, version);
  };
  return {
    orders,
    again,
    look,
    refusal,
    forgive: () => refuse(undefined),
    give,
    decide,
    decideOrder: (id, isTaken) => {
      const pieces = proposalsOf(editor.state).find((one) => one.id === id)?.pieces ?? [];
      const chosen = isTaken ? pieces.filter(({ stands }) => stands) : pieces;
      decide(
        chosen.map((piece) => piece.id),
        isTaken,
      );
    },
    step: (by) => {
      const piece = nextPiece(editor.state, by);
      if (!piece) return false;
      queue.push((state) => activatePiece(state, piece.id));
      queue.whenStill(() => {
        const seen = editor.view.dom.querySelector(`[data-proposal="${piece.id}"]`);
        seen?.scrollIntoView({ block: "center", behavior: "smooth" });
      });
      return true;
    },
  };
}

/** Returns the place that a target means, as offsets of the text. */
function rangeOf(editor: Editor, target: Target): { from: number; to: number } | undefined {
  if (target === "selection") return selectedWords(editor.state);
  const { to } = selectionIn(editor.state);
  return target === "caret" ? { from: to, to } : paragraphAt(textOf(editor.state.doc), to);
}

/** An order is over once nothing of its answer is open. */
function dropDecided(editor: Editor): void {
  const open = new Set(proposalsOf(editor.state).map(({ id }) => id));
  const { orders, drop } = useOrders.getState();
  for (const { id, status } of orders) {
    if (status === "ready" && shown.has(id) && !open.has(id)) {
      shown.delete(id);
      drop(id);
    }
  }
}

/** The orders whose answer stands in an editor. */
const shown = new Set<string>();

/** Shows answers as they come, and keeps what is undecided when the chapter is left. */
function useShown({ editor, queue }: Editing, orders: readonly Order[]): void {
  const held = useRef(orders);
  held.current = orders;
  useEffect(() => {
    for (const order of orders) {
      const { id, of, status, pieces, start } = order;
      if (status === "ready" && of !== undefined && addVersion(editor, queue, order)) continue;
      if (status === "ready" && !shown.has(id)) {
        shown.add(id);
        queue.push((state) => open(state, id, pieces, start));
      } else if (status === "failed") queue.push((state) => close(state, id));
    }
  }, [orders, editor, queue]);
  useEffect(
    () => () => {
      for (const { id, status } of held.current) {
        if (status !== "ready" || !shown.has(id)) continue;
        shown.delete(id);
        useOrders.getState().change(id, { pieces: keptOf(editor.state, id) });
      }
    },
    [editor],
  );
}

/** Puts another version of an answer beside those that are there, and shows it; false if that answer is gone. */
function addVersion(editor: Editor, queue: Queue, { id, of, pieces, infos }: Order): boolean {
  const { orders, drop, change } = useOrders.getState();
  if (!orders.some((one) => one.id === id)) return true;
  const first = orders.find((one) => one.id === of && one.status === "ready");
  if (!first) return false;
  const versions = [...(first.versions.length > 0 ? first.versions : [first.pieces]), pieces];
  drop(id);
  change(first.id, { versions, infos: [...first.infos, ...infos] });
  showVersion(editor, queue, { ...first, versions }, versions.length - 1);
  return true;
}

/** Shows a version of an answer in the place of the one that is shown; what was decided of that one stays decided. */
function showVersion(editor: Editor, queue: Queue, order: Order, version: number): void {
  const { id } = order;
  queue.whenStill(() => {
    if (editor.isDestroyed) return;
    const left = keptOf(editor.state, id);
    const versions = order.versions.map((one, place) => (place === order.version ? left : one));
    useOrders.getState().change(id, { versions, version });
    queue.push((state) => close(state, id));
    queue.push((state) => open(state, id, versions[version] ?? [], 0));
  });
}

/** Stops what is under way, or takes a failed order off the page. */
export function endOrder({ queue }: Editing, order: Order): void {
  stopOrder(order);
  queue.push((state) => close(state, order.id));
}
