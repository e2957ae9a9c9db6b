import { expect, it } from "vitest";
import { arcOf } from "./arc";

it("tells the chapters in which something happens to somebody, and what turns there once", () => {
  const arc = arcOf({
    stages: [
      { chapter: 1, goal: "让他离岛", events: [{ id: "e-1", title: "信到了" }], turning_points: ["信到了"] },
      { chapter: 2, mentions: 3, events: [], relations: [], turning_points: [] },
      {
        chapter: 3,
        events: [{ id: "e-2", title: "渡河" }],
        relations: [{ change: "ends", with: "李四", type: "friend" }],
        turning_points: [],
      },
    ],
    presence: {
      chapters: 3,
      of: 9,
      thirds: [3, 0, 0],
      longest_absence: { chapters: 2, after: "第一章", until: "第四章" },
    },
    changes: [
      {
        predicate: "is_at",
        values: [
          { value: "岛上", from: "第一章" },
          { value: 3, from: "" },
        ],
      },
    ],
    observations: [{ code: "no_turn", text: "没有转折。" }, { code: "odd" }],
  });
  expect(arc.stages).toEqual([
    { chapter: 1, goal: "让他离岛", events: [], turns: ["信到了"], relations: [] },
    {
      chapter: 3,
      goal: "",
      events: [{ id: "e-2", title: "渡河" }],
      turns: [],
      relations: [{ begins: false, other: "李四", type: "friend" }],
    },
  ]);
  expect(arc).toMatchObject({
    present: 3,
    of: 9,
    thirds: [3, 0, 0],
    absence: { chapters: 2, after: "第一章", until: "第四章" },
    shifts: [
      {
        predicate: "is_at",
        values: [
          { value: "岛上", from: "第一章" },
          { value: "3", from: "" },
        ],
      },
    ],
    observations: ["没有转折。"],
  });
});

it("is empty where nothing is told", () => {
  expect(arcOf({})).toEqual({
    stages: [],
    present: 0,
    of: 0,
    thirds: [],
    absence: undefined,
    shifts: [],
    observations: [],
  });
});
