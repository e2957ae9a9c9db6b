import { expect, it } from "vitest";
import { isSame, replaced, seek } from "./seek";

it("finds words as they are written, whatever they hold", () => {
  expect(seek("a.b a+b A.B", { words: "a.b", isExact: false }).map(({ from }) => from)).toEqual([0, 8]);
  expect(seek("a.b a+b A.B", { words: "A.B", isExact: true }).map(({ from }) => from)).toEqual([8]);
  expect(seek("甲-乙/丙", { words: "-乙/", isExact: true })).toHaveLength(1);
  expect(seek("甲", { words: "", isExact: true })).toEqual([]);
});

it("replaces the chosen ones only", () => {
  const hits = seek("陆陆陆", { words: "陆", isExact: true });
  expect(replaced("陆陆陆", hits, new Set([0, 2]), "路口")).toBe("路口陆路口");
});

it("sees whether the places are still the same", () => {
  const wanted = { words: "陆", isExact: true };
  expect(isSame(seek("姓陆。", wanted), seek("前面多了\n姓陆。", wanted))).toBe(true);
  expect(isSame(seek("姓陆。", wanted), seek("不姓陆。", wanted))).toBe(false);
});
