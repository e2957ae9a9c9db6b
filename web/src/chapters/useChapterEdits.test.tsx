import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Problem } from "../api/problem";
import { keys, queries } from "../api/queries";
import type { ChapterEdit, ChapterRow } from "../api/schema";
import { type OpenChapter, useChapterState } from "./state";
import { type ChapterEdits, useChapterEdits } from "./useChapterEdits";
import "../words";

/** A server that knows just enough of chapters: it keeps their order, and notes what it is asked. */
const server = vi.hoisted(() => ({
  rows: [] as ChapterRow[],
  sent: [] as string[],
  error: undefined as Error | undefined,
}));

vi.mock("./wire", () => ({
  editChapters: async (_: string, edit: ChapterEdit) => {
    if (server.error) throw server.error;
    server.sent.push(
      edit.action === "insert" ? `insert ${edit.title} after ${edit.after}` : JSON.stringify(edit),
    );
    const at = server.rows.findIndex((row) => "chapter" in edit && row.node === edit.chapter);
    const made = (title: string, documents: string[]) => ({ place: 0, title, node: `o-${title}`, documents });
    if (edit.action === "insert") server.rows.push(made(edit.title, []));
    if (edit.action === "split") server.rows.splice(at + 1, 0, made(edit.title, ["d-new"]));
    if (edit.action === "delete") server.rows.splice(at, 1);
    if (edit.action === "join") server.rows.splice(at + 1, 1);
    return { change: server.sent.length, chapters: [...server.rows], same_numbers: [] };
  },
  addText: async (_: string, title: string, node: string) => {
    server.sent.push(`text ${title} of ${node}`);
    return "d-added";
  },
  undoChange: async (_: string, change: number) => void server.sent.push(`undo ${change}`),
}));
vi.mock("../api/queries", async (original) => ({
  ...(await original<typeof import("../api/queries")>()),
  refreshChapters: async () => publish(),
}));

function publish() {
  const list = { change: null, chapters: [...server.rows], same_numbers: [] };
  queries.setQueryData(keys.chapters("p"), list);
}

const row = (number: number): ChapterRow => ({
  place: number,
  number,
  title: `第${number}章`,
  node: `o-${number}`,
  documents: [`d-${number}`],
  volume: null,
});

let root: Root;
let edits: ChapterEdits;
const open = (document: string, more: Partial<OpenChapter> = {}) =>
  useChapterState.getState().register({
    project: "p",
    document,
    save: async () => true,
    splitPoint: () => ({ words: "天亮了" }),
    ...more,
  });
const told = () => useChapterState.getState().notice;
const first = () => server.rows[0] as ChapterRow;

beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  Object.assign(server, { rows: [row(1), row(2), row(3)], sent: [], error: undefined });
  useChapterState.setState({ open: undefined, openings: {}, caret: undefined, notice: undefined });
  publish();
  history.replaceState(null, "", "/p/p/write/d-1");
  const Probe = () => {
    edits = useChapterEdits("p");
    return null;
  };
  root = createRoot(document.createElement("div"));
  await act(async () => root.render(<Probe />));
});
afterEach(() => act(async () => root.unmount()));

it("makes an empty chapter with a text, and opens it with the caret in it", async () => {
  await act(() => edits.add());
  expect(server.sent).toEqual(["insert 第4章 after o-3", "text 第4章 of o-第4章"]);
  expect(location.pathname).toBe("/p/p/write/d-added");
  expect(useChapterState.getState().caret).toBe("d-added");
});

it("saves the open chapter before it is split, and goes to the second half", async () => {
  const save = vi.fn(async () => true);
  open("d-1", { save });
  await act(() => edits.split(first()));
  expect(save).toHaveBeenCalledOnce();
  expect(JSON.parse(server.sent[0] ?? "")).toMatchObject({ action: "split", chapter: "o-1", at: "天亮了" });
  expect(location.pathname).toBe("/p/p/write/d-new");
  expect(told()?.undo).toMatchObject({ changes: [1], back: "d-1" });
});

it("leaves a chapter alone whose text is not saved, and moves it all the same", async () => {
  open("d-1", { save: async () => false });
  for (const edit of [edits.split, edits.join, edits.remove]) {
    await act(() => edit(first()));
    expect(server.sent).toEqual([]);
    expect(told()?.isFailure).toBe(true);
  }
  await act(() => edits.step(first(), 1));
  expect(server.sent).toHaveLength(1);
});

it("goes on to the next chapter when the open one is deleted, and back when that is undone", async () => {
  open("d-1");
  await act(() => edits.remove(first()));
  expect(location.pathname).toBe("/p/p/write/d-2");
  const undo = told()?.undo;
  expect(undo).toMatchObject({ changes: [1], back: "d-1" });
  if (undo) await act(() => edits.undo(undo));
  expect(server.sent.at(-1)).toBe("undo 1");
  expect(location.pathname).toBe("/p/p/write/d-1");
});

it("loads the open chapter again when the next one is added to it", async () => {
  open("d-1");
  await act(() => edits.join(first()));
  expect(useChapterState.getState().openings).toEqual({ "d-1": 1 });
  expect(location.pathname).toBe("/p/p/write/d-1");
});

it("goes to the joined chapter from the one that went into it", async () => {
  await act(async () => history.replaceState(null, "", "/p/p/write/d-2"));
  open("d-2");
  await act(() => edits.join(first()));
  expect(location.pathname).toBe("/p/p/write/d-1");
  expect(told()?.undo?.back).toBe("d-2");
});

it("tells a conflict without the server's words, and can be used again", async () => {
  server.error = new Problem(409, "conflict", "p changed", { data: {} });
  await act(() => edits.step(first(), 1));
  expect(told()).toMatchObject({ isFailure: true, undo: undefined });
  expect(told()?.text).not.toContain("p changed");
  server.error = undefined;
  await act(() => edits.step(first(), 1));
  expect(told()?.isFailure).toBe(false);
});
