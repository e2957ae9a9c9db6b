import { expect, it } from "vitest";
import type { ChangeRow } from "../api/schema";
import { groupsOf, stepsBack } from "./changeLog";

type Given = Partial<ChangeRow> & { minute?: number; texts?: string[] };

const change = (number: number, { minute = number, texts = [], ...rest }: Given = {}): ChangeRow => ({
  change: number,
  at: new Date(minute * 60_000).toISOString(),
  agent: "person",
  run: "edit",
  tokens: 0,
  put: texts.map((id) => ({ kind: "document", id, name: id })),
  removed: [],
  ...rest,
});
const undo = (number: number, undoes: number): ChangeRow => change(number, { run: "undo", undoes });
const numbers = (log: ChangeRow[]) => groupsOf(log).map(({ changes }) => changes.map((one) => one.change));

it("takes successive saves of one text as one change, and nothing else", () => {
  const log = [
    change(1, { texts: ["d-1"] }),
    change(2, { texts: ["d-1"] }),
    change(3, { texts: ["d-1"], minute: 11 }),
    change(4, { texts: ["d-1"], minute: 22 }),
    change(5, { texts: ["d-2"], minute: 23 }),
    change(6, { texts: ["d-2"], minute: 24, agent: "writer_agent", run: "r-1" }),
    change(7, { texts: ["d-2"], minute: 25 }),
    change(8, { minute: 26, put: [{ kind: "character", id: "c-1", name: "林雨" }] }),
    change(9, { minute: 26, put: [{ kind: "character", id: "c-1", name: "林雨" }] }),
  ];
  expect(numbers(log)).toEqual([[9], [8], [7], [6], [5], [4], [1, 2, 3]]);
});

it("tells the pieces of a sitting once", () => {
  const fact = { kind: "fact", id: "f-1", name: "雨停" };
  const document = { kind: "document", id: "d-1", name: "第一章" };
  const [group] = groupsOf([
    change(1, { put: [document] }),
    change(2, { put: [document, fact], removed: [fact] }),
    change(3, { put: [document] }),
  ]);
  expect(group).toMatchObject({
    put: [document, fact],
    removed: [fact],
    first: { change: 1 },
    last: { change: 3 },
  });
});

it("knows what was taken back, and what came back by that being taken back", () => {
  const saves = [change(1, { texts: ["d-1"] }), change(2, { texts: ["d-1"] })];
  expect(groupsOf([...saves, undo(3, 2)]).map(({ last, isTakenBack }) => [last.change, isTakenBack])).toEqual(
    [
      [3, false],
      [2, true],
      [1, false],
    ],
  );
  expect(
    groupsOf([...saves, undo(3, 2), undo(4, 3)]).map(({ last, isTakenBack }) => [last.change, isTakenBack]),
  ).toEqual([
    [4, false],
    [3, true],
    [2, false],
  ]);
});

it("takes what was taken back at once as one", () => {
  const saves = [1, 2, 3].map((number) => change(number, { texts: ["d-1"] }));
  const undos = [undo(4, 3), undo(5, 2), undo(6, 1)].map((one) => ({
    ...one,
    at: new Date(240_000).toISOString(),
  }));
  const groups = groupsOf([...saves, ...undos]);
  expect(groups.map(({ changes }) => changes.map((one) => one.change))).toEqual([
    [4, 5, 6],
    [1, 2, 3],
  ]);
  expect(groups.map(({ isTakenBack }) => isTakenBack)).toEqual([false, true]);
});

it("goes back by the fewest steps, newest first", () => {
  const log = [change(1), change(2), undo(3, 2), change(4), undo(5, 1), change(6), undo(7, 6), undo(8, 7)];
  expect(stepsBack(log, 8)).toEqual([]);
  expect(stepsBack(log, 5)).toEqual([6]);
  expect(stepsBack(log, 1)).toEqual([6, 5, 4]);
  expect(stepsBack(log, 0)).toEqual([6, 4]);
});
