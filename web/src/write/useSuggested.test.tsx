import { history, redo, undo } from "@tiptap/pm/history";
import { Schema } from "@tiptap/pm/model";
import { EditorState, type Transaction } from "@tiptap/pm/state";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { CommentRow } from "../api/schema";
import { discard, proposalPlugin, proposalsOf, take } from "./proposals";
import { documentOf, textOf } from "./text";
import type { Editing } from "./useEditing";
import { useSuggested } from "./useSuggested";

const schema = new Schema({
  nodes: { doc: { content: "paragraph+" }, paragraph: { content: "text*" }, text: {} },
});
const nothing = () => "";

type Look = (told: { transaction: Transaction }) => void;

/** An editor that has a state and tells of its transactions. */
class Stub {
  state = EditorState.create({
    doc: schema.nodeFromJSON(documentOf("雨停了。他把灯点亮。")),
    plugins: [
      history(),
      proposalPlugin({
        labels: { take: nothing, discard: nothing, changed: nothing, working: nothing },
        onDecide: () => undefined,
        onCompare: () => undefined,
      }),
    ],
  });
  readonly heard = new Set<Look>();
  on = (_: string, look: Look) => this.heard.add(look);
  off = (_: string, look: Look) => this.heard.delete(look);
  dispatch = (transaction: Transaction) => {
    this.state = this.state.apply(transaction);
    for (const look of this.heard) look({ transaction });
  };
  push = (make: (state: EditorState) => Transaction | null) => {
    const transaction = make(this.state);
    if (transaction) this.dispatch(transaction);
  };
}

const suggestion = (id: string, quote: string, from: number, replacement: string): CommentRow => ({
  id,
  document: "d-1",
  chapter: "第一章",
  quote,
  place: { from, to: from + quote.length },
  replacement,
  resolved: false,
  thread: [],
});

let editor: Stub;
let decided: string[];
let reopened: string[];
let root: Root;

function Shown({ comments }: { comments: readonly CommentRow[] }) {
  const editing = { editor, queue: editor } as unknown as Editing;
  useSuggested(
    editing,
    comments,
    (id) => decided.push(id),
    (id) => reopened.push(id),
  );
  return null;
}
const show = (...comments: CommentRow[]) => act(() => root.render(<Shown comments={comments} />));
const open = () => proposalsOf(editor.state).map(({ id }) => id);
const pieceOf = (id: string) =>
  proposalsOf(editor.state)
    .filter((proposal) => proposal.id === id)
    .flatMap(({ pieces }) => pieces.map((piece) => piece.id));

beforeEach(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  editor = new Stub();
  decided = [];
  reopened = [];
  root = createRoot(document.createElement("div"));
});
afterEach(() => act(() => root.unmount()));

it("shows suggestions as proposals, once, and no plain comments", async () => {
  const rain = suggestion("comment-1", "雨停了", 0, "雪停了");
  const remark = { ...suggestion("comment-2", "灯", 6, ""), replacement: null };
  await show(rain, remark);
  await show({ ...rain }, remark);
  expect(open()).toEqual(["comment-1"]);
  expect(decided).toEqual([]);
});

it("tells what was taken and what was discarded", async () => {
  await show(
    suggestion("comment-1", "雨停了", 0, "雪停了"),
    suggestion("comment-2", "把灯点亮", 5, "吹灭了灯"),
  );
  editor.push((state) => take(state, pieceOf("comment-2")));
  expect(textOf(editor.state.doc)).toBe("雨停了。他吹灭了灯。");
  editor.push((state) => discard(state, pieceOf("comment-1")));
  expect(textOf(editor.state.doc)).toBe("雨停了。他吹灭了灯。");
  expect(decided).toEqual(["comment-2", "comment-1"]);
});

it("takes away what was resolved elsewhere without deciding it", async () => {
  const rain = suggestion("comment-1", "雨停了", 0, "雪停了");
  await show(rain);
  await show({ ...rain, resolved: true });
  expect(open()).toEqual([]);
  expect(decided).toEqual([]);
});

it("reopens a taken suggestion that is undone, and decides it again when that is redone", async () => {
  const light = suggestion("comment-1", "点亮", 7, "点亮了");
  await show(light);
  editor.push((state) => take(state, pieceOf("comment-1")));
  expect(textOf(editor.state.doc)).toBe("雨停了。他把灯点亮了。");
  await show({ ...light, place: null, resolved: true });
  // Words typed elsewhere, and at the ends of the words that were taken, leave it as it is.
  editor.dispatch(editor.state.tr.insertText("夜里，", 1));
  editor.dispatch(editor.state.tr.insertText("很快", 14));
  expect(reopened).toEqual([]);
  undo(editor.state, editor.dispatch);
  undo(editor.state, editor.dispatch);
  expect(reopened).toEqual([]);
  undo(editor.state, editor.dispatch);
  expect(textOf(editor.state.doc)).toBe("雨停了。他把灯点亮。");
  expect(reopened).toEqual(["comment-1"]);
  await show(light);
  expect(open()).toEqual(["comment-1"]);
  redo(editor.state, editor.dispatch);
  expect(textOf(editor.state.doc)).toBe("雨停了。他把灯点亮了。");
  expect(decided).toEqual(["comment-1", "comment-1"]);
});
