import { expect, it } from "vitest";
import type { MirrorRun } from "../api/schema";
import { mayTurn, outcomes, waitingFiles } from "./mirror";

it("tells what waits for the author first", () => {
  const told = outcomes({
    edited: [
      { path: "章节/01.md", title: "第一章", version: 2, change: 7 },
      { path: "章节/02.md", title: "第二章", version: 1, change: null },
    ],
    cards: [
      { path: "人物/林青.md", name: "林青", fields: ["年龄"], change: 8 },
      { path: "人物/李四.md", name: "李四", fields: [], change: null },
    ],
    conflicts: [
      { path: "章节/03.md", beside: "章节/03.studio.md", is_beside_kept: false, title: "第三章" },
      { path: "章节/04.md", beside: "", is_beside_kept: false, title: "" },
    ],
    refused: [
      { path: "人物/王五.md", reason: "unread_fields", fields: [{ label: "年龄", reason: "not_a_number" }] },
      { path: "README.md", reason: "written_only" },
    ],
    deleted: ["物件/铜钥匙.md"],
  });
  expect(told.map(({ kind }) => kind)).toEqual([
    "conflict",
    "gone",
    "fields",
    "written_only",
    "deleted",
    "edited",
    "layout",
    "card",
    "layout",
  ]);
});

it("has nothing to tell of nothing", () => {
  expect(outcomes({ edited: [], conflicts: [] })).toEqual([]);
});

it("counts each file that waits for the author once", () => {
  const update = { folder: "夜航", commit: "off", version: 3 } as const;
  const run = (kept: string[], read?: MirrorRun["read"]): MirrorRun => ({
    read,
    update: { ...update, kept, removed: [], written: [] },
  });
  expect(waitingFiles(run([]))).toBe(0);
  expect(waitingFiles(run(["章节/02.md"]))).toBe(1);
  const conflict = { path: "章节/03.md", beside: "", is_beside_kept: false, title: "" };
  const refused = [{ path: "README.md", reason: "written_only" as const }];
  expect(waitingFiles(run(["章节/03.md"], { edited: [], conflicts: [conflict], refused }))).toBe(2);
});

it("lets commits be turned off by everybody, and on at the server's machine only", () => {
  expect(mayTurn({ git: false, may_commit: false })).toBe(false);
  expect(mayTurn({ git: true, may_commit: false })).toBe(true);
  expect(mayTurn({ git: false, may_commit: true })).toBe(true);
});
