import { expect, test } from "vitest";
import type { BranchPiece } from "../api/schema";
import { namesOf, together } from "./pieces";

const piece = (id: string, part: Partial<BranchPiece> = {}): BranchPiece => ({
  kind: "fact",
  id,
  name: "",
  project: "same",
  branch: "removed",
  conflict: false,
  ...part,
});

test("pieces that met with the same stand in a line, conflicts alone and first", () => {
  const pieces = [
    piece("f-1"),
    piece("f-2"),
    piece("d-1", { kind: "document", branch: "changed", project: "changed", conflict: true }),
    piece("d-2", { kind: "document", branch: "changed", project: "changed", conflict: true }),
  ];
  expect(together(pieces).map((group) => group.map(({ id }) => id))).toEqual([
    ["d-1"],
    ["d-2"],
    ["f-1", "f-2"],
  ]);
});

test("a line names some of them", () => {
  expect(namesOf([piece("f-1"), piece("d-1", { name: "雨" })])).toBe("f-1 · 雨");
  expect(namesOf(["a", "b", "c", "d", "e", "f", "g"].map((id) => piece(id)))).toBe("a · b · c · d · e · f …");
});
