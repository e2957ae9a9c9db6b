import type { EditorState, Transaction } from "@tiptap/pm/state";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PAUSE, Queue, type QuietView } from "./queue";

/** A view that only notes what reaches it. */
function fake() {
  const done: string[] = [];
  const view = {
    composing: false,
    isDestroyed: false,
    state: "state" as unknown as EditorState,
    dispatch: (transaction: Transaction) => void done.push(transaction as unknown as string),
  };
  return { view: view satisfies QuietView, done };
}
const named = (name: string) => () => name as unknown as Transaction;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("acts at once while nothing is composed", () => {
  const { view, done } = fake();
  new Queue(() => view).push(named("one"));
  expect(done).toEqual(["one"]);
});

it("waits until the word is finished, and keeps the order", () => {
  const { view, done } = fake();
  const queue = new Queue(() => view);
  view.composing = true;
  queue.push(named("one"));
  queue.push(named("two"));
  vi.advanceTimersByTime(PAUSE * 10);
  expect(done).toEqual([]);
  view.composing = false;
  queue.push(named("three"));
  vi.advanceTimersByTime(PAUSE);
  expect(done).toEqual(["one", "two", "three"]);
});

it("makes the transaction of the state at that time, and may make none", () => {
  const { view, done } = fake();
  const queue = new Queue(() => view);
  view.composing = true;
  const make = vi.fn(() => null);
  queue.push(make);
  view.state = "later" as unknown as EditorState;
  view.composing = false;
  vi.advanceTimersByTime(PAUSE);
  expect(make).toHaveBeenCalledWith("later");
  expect(done).toEqual([]);
});

it("stops where composing begins between two changes", () => {
  const { view, done } = fake();
  const queue = new Queue(() => view);
  view.composing = true;
  queue.whenStill(() => {
    view.composing = true;
  });
  queue.push(named("after"));
  view.composing = false;
  vi.advanceTimersByTime(PAUSE);
  expect(done).toEqual([]);
  view.composing = false;
  vi.advanceTimersByTime(PAUSE);
  expect(done).toEqual(["after"]);
});

it("forgets what waits when the view is gone", () => {
  const { view, done } = fake();
  const queue = new Queue(() => view);
  view.composing = true;
  queue.push(named("one"));
  view.isDestroyed = true;
  vi.advanceTimersByTime(PAUSE * 3);
  view.isDestroyed = false;
  view.composing = false;
  vi.advanceTimersByTime(PAUSE * 3);
  expect(done).toEqual([]);
});
