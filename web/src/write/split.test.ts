import { expect, it } from "vitest";
import { type Beside, besideOf, keyOfBeside, useSplit } from "./split";

it.each([
  { kind: "outline" },
  { kind: "chapter", id: "d-2" },
  { kind: "piece", id: "c:1" },
] satisfies Beside[])("%j is kept as a value", (beside) => {
  expect(besideOf(keyOfBeside(beside))).toEqual(beside);
});

it("reads nothing else", () => {
  expect(besideOf("")).toBeUndefined();
  expect(besideOf("chapter:")).toBeUndefined();
  expect(besideOf("elsewhere:1")).toBeUndefined();
});

it("is kept for each book", () => {
  useSplit.getState().show("p-1", { kind: "outline" });
  useSplit.getState().show("p-2", { kind: "chapter", id: "d-1" });
  useSplit.getState().show("p-1", undefined);
  expect(useSplit.getState().shown["p-1"]).toBeUndefined();
  expect(useSplit.getState().shown["p-2"]).toEqual({ kind: "chapter", id: "d-1" });
});
