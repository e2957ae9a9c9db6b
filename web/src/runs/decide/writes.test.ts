import { expect, it } from "vitest";
import type { Write } from "../../api/schema";
import { answerOf, placesOf } from "./writes";

const span = (before: string, after: string) => ({ start: 0, end: before.length, before, after, why: "" });
const change: Write = {
  task: "t1",
  agent: "creative",
  proposal: {
    document: "d-1",
    title: "第一章",
    spans: [span("雨", "雪"), span("走", "跑"), span("来", "去")],
  },
};
const fresh: Write = {
  task: "t2",
  agent: "creative",
  proposal: { document: null, title: "第二章", spans: [span("", "雨停了。")] },
};
const answered = (...refused: string[]) => answerOf([change, fresh], new Set(refused), " 太急 ");

it("has an id for every place of a change, and one for a new text", () => {
  expect([change, fresh].flatMap(placesOf).map(({ id }) => id)).toEqual(["t1/1", "t1/2", "t1/3", "t2"]);
});

it("takes all or nothing in a word, and says why nothing", () => {
  expect(answered()).toEqual({ answer: "approve" });
  expect(answered("t1/1", "t1/2", "t1/3", "t2")).toEqual({ answer: "reject", feedback: "太急" });
});

it("names what is refused, place by place", () => {
  expect(answered("t1/2")).toEqual({
    answer: "decide",
    answers: { t1: "accept", "t1/2": "reject", t2: "accept" },
  });
  expect(answered("t1/1", "t1/2", "t1/3")).toEqual({
    answer: "decide",
    answers: { t1: "reject", t2: "accept" },
  });
  expect(answered("t2", "t1/3")).toEqual({
    answer: "decide",
    answers: { t1: "accept", "t1/3": "reject", t2: "reject" },
  });
});
