import { expect, it } from "vitest";
import { meantOf, nextOf } from "./inText";

const offers = [
  { id: 7, from: 5, to: 8 },
  { id: 8, from: 20, to: 20 },
];

it.each([
  ["the one at the caret or after it", undefined, 9, 8],
  ["the last where none is after the caret", undefined, 30, 8],
  ["the one that is looked at", 7, 30, 7],
])("means %s", (_, active, caret, id) => {
  expect(meantOf(offers, active, caret)?.id).toBe(id);
});

it.each([
  ["on from the caret", undefined, 9, 1, 8],
  ["back from the caret", undefined, 9, -1, 7],
  ["on past the last one", undefined, 30, 1, 7],
  ["back past the first one", undefined, 2, -1, 8],
  ["on from the one that is looked at", 8, 2, 1, 7],
] as const)("goes %s", (_, active, caret, step, id) => {
  expect(nextOf(offers, active, caret, step)?.id).toBe(id);
});
