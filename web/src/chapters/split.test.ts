import { expect, it } from "vitest";
import { splitPoint } from "./split";

const text = "雨下了一夜。\n\n天亮了。他站在门口，看着雨停下来。\n\n天亮了。他没有走。";

it("names the place by the words behind the caret", () => {
  expect(splitPoint(text, text.indexOf("天亮了"))).toEqual({ words: "天亮了。他站在门口，看着" });
  expect(splitPoint(text, text.lastIndexOf("天亮了"))).toEqual({ words: "天亮了。他没有走。" });
});

it("passes over the empty lines between", () => {
  expect(splitPoint(text, text.indexOf("\n\n"))).toEqual({ words: "天亮了。他站在门口，看着" });
});

it("takes as many words as make the place unique, and no half of a character", () => {
  const twice = "甲乙丙丁戊己庚辛壬癸子丑寅卯。\n甲乙丙丁戊己庚辛壬癸子丑寅辰。";
  expect(splitPoint(twice, twice.indexOf("\n"))).toEqual({ words: "甲乙丙丁戊己庚辛壬癸子丑寅辰。" });
  expect(splitPoint("前。甲乙丙丁戊己庚辛壬癸子\u{20000}后", 2)).toEqual({
    words: "甲乙丙丁戊己庚辛壬癸子\u{20000}",
  });
});

it("says why a chapter cannot be split there", () => {
  expect(splitPoint(text, 0)).toEqual({ missing: "before" });
  expect(splitPoint("\n\n雨。", 1)).toEqual({ missing: "before" });
  expect(splitPoint(text, text.length)).toEqual({ missing: "after" });
  expect(splitPoint("雨。雨。", 2)).toEqual({ missing: "unique" });
});
