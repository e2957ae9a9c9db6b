import { expect, it } from "vitest";
import { wordDiff } from "./wordDiff";

it("cuts Chinese into words", () => {
  const parts = wordDiff("他没有回头，跳进河里。", "他没有回头，停在河岸。");
  expect(parts[0]).toEqual({ kind: "same", text: "他没有回头，" });
  expect(
    parts
      .filter((part) => part.kind !== "added")
      .map((part) => part.text)
      .join(""),
  ).toBe("他没有回头，跳进河里。");
  expect(
    parts
      .filter((part) => part.kind !== "removed")
      .map((part) => part.text)
      .join(""),
  ).toBe("他没有回头，停在河岸。");
});

it("keeps what is the same whole", () => {
  expect(wordDiff("the same", "the same")).toEqual([{ kind: "same", text: "the same" }]);
});
