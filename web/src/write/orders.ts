import { create } from "zustand";
import { answer, http } from "../api/client";
import { keys, queries } from "../api/queries";
import { watch } from "../api/stream";
import type { Anchor } from "./anchor";
import { type Command, resultOf, startOf, type Wanted } from "./caret";
import { type VersionInfo, wholeOf } from "./models";
import type { KeptPiece } from "./proposals";

/** A command that the author gave in a chapter, and how far its answer is. */
export type Order = {
  id: string;
  project: string;
  document: string;
  command: Command;
  /** The instruction, in the language of the book. */
  words: string;
  /** The words that it is for. */
  anchor: Anchor;
  /** The order of which this one makes another version; that one shows the answer. */
  of: string | undefined;
  status: "working" | "ready" | "failed";
  /** The offset of the order's place in the text that the server had. */
  start: number;
  run: string | undefined;
  /** The changes that are proposed and not decided; shown by the chapter while it is open. */
  pieces: readonly KeptPiece[];
  /** All versions of the answer, where there is more than one: the changes of each that are not decided. */
  versions: readonly (readonly KeptPiece[])[];
  /** Of each version: the model and the words as a whole. */
  infos: readonly VersionInfo[];
  /** Which of them is shown. */
  version: number;
  /** Why it failed: an error of the request, or the agent's words. */
  error: unknown;
  failure: string;
};

type Orders = {
  orders: readonly Order[];
  put(order: Order): void;
  change(id: string, some: Partial<Order>): void;
  drop(id: string): void;
};

/** The open orders of this page. They outlive the chapter's editor, so that an author may look elsewhere meanwhile. */
export const useOrders = create<Orders>((set) => ({
  orders: [],
  put: (order) => set(({ orders }) => ({ orders: [...orders, order] })),
  change: (id, some) =>
    set(({ orders }) => ({ orders: orders.map((one) => (one.id === id ? { ...one, ...some } : one)) })),
  drop: (id) => set(({ orders }) => ({ orders: orders.filter((one) => one.id !== id) })),
}));

/** The most versions of one answer. */
export const MOST_VERSIONS = 5;

const stops = new Map<string, AbortController>();

/** Sets an agent to work and puts its answer into the store; never rejects. */
export async function carryOut(id: string, wanted: Wanted, language: string): Promise<void> {
  const { change } = useOrders.getState();
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    const { run } = await answer(http.POST("/api/v1/runs", { body: { start: startOf(wanted) } }));
    if (stop.signal.aborted) return cancel(run);
    change(id, { run });
    void queries.invalidateQueries({ queryKey: keys.runs });
    await watch(`/api/v1/runs/${encodeURIComponent(run)}/events`, {
      signal: stop.signal,
      onEvent: () => undefined,
      onLine: () => undefined,
    });
    if (stop.signal.aborted) return;
    const outcome = await answer(http.GET("/api/v1/runs/{run}", { params: { path: { run } } }));
    const result = resultOf(outcome, wanted, language);
    if ("pieces" in result) {
      const { base, from, to, model } = wanted;
      const whole = wholeOf(base.slice(from, to), from, result.pieces);
      change(id, { status: "ready", pieces: result.pieces, infos: [{ model, whole }] });
    } else change(id, { status: "failed", failure: result.failure });
  } catch (error) {
    if (!stop.signal.aborted) change(id, { status: "failed", error });
  } finally {
    stops.delete(id);
    void queries.invalidateQueries({ queryKey: keys.runs });
  }
}

/** Stops an order and forgets it. */
export function stopOrder({ id, run }: Order): void {
  stops.get(id)?.abort();
  stops.delete(id);
  useOrders.getState().drop(id);
  if (run !== undefined) cancel(run);
}

function cancel(run: string): void {
  // A run that has ended meanwhile has nothing to stop.
  void http.POST("/api/v1/runs/{run}/cancel", { params: { path: { run } }, body: {} }).catch(() => undefined);
}
