import { expect, it } from "vitest";
import type { Book, Piece } from "../story/book";
import { begunIn, fitting, nameFinder, referencesOf } from "./references";

const piece = (kind: Piece["kind"], name: string, ...alias: string[]): Piece => ({
  kind,
  id: name,
  name,
  alias,
  about: "",
});
const references = referencesOf({
  pieces: [
    piece("character", "林雨", "小雨"),
    piece("character", "Edith Pallow", "Edie"),
    piece("location", "雨巷"),
    piece("item", "旧信"),
    piece("event", "雨夜"),
    piece("character", "沈故", "小雨"),
  ],
} as unknown as Book);
const names = (word: string) => fitting(references, word).map(({ name }) => name);

it("knows every name once, and only of what prose names", () => {
  expect(references.map(({ name }) => name)).toEqual([
    "林雨",
    "小雨",
    "Edith Pallow",
    "Edie",
    "雨巷",
    "旧信",
    "沈故",
  ]);
  expect(references.find(({ name }) => name === "小雨")?.piece.name).toBe("林雨");
});

it("begins with either sign, in the middle of a sentence, and ends with a mark or a space", () => {
  expect(begunIn("雨停了，@林")).toEqual({ from: 4, word: "林" });
  expect(begunIn("雨停了＠")).toEqual({ from: 3, word: "" });
  for (const line of ["雨停了", "@林，", "@林 ", "write to edith@hall", "a.b@", "@。"]) {
    expect(begunIn(line), line).toBeUndefined();
  }
});

it("offers what begins with the word first, then what holds it, then what is known by it", () => {
  expect(names("雨")).toEqual(["雨巷", "林雨", "小雨", "沈故"]);
  expect(names("小")).toEqual(["小雨", "林雨", "沈故"]);
  expect(names("pal")).toEqual(["Edith Pallow"]);
  expect(names("")).toEqual(["林雨", "Edith Pallow", "雨巷", "旧信", "沈故"]);
  expect(names("无")).toEqual([]);
});

it("finds the name at the caret, the longest that stands there", () => {
  const at = nameFinder(references);
  const line = "林雨走进雨巷，Edith Pallow 在等。";
  expect(at(line, 1)).toMatchObject({ name: "林雨", from: 0, to: 2 });
  expect(at(line, 6)).toMatchObject({ name: "雨巷", from: 4, to: 6 });
  expect(at(line, 10)).toMatchObject({ name: "Edith Pallow", from: 7, to: 19 });
  expect(at(line, 3)).toBeUndefined();
  expect(at("Ediths", 2)).toBeUndefined();
  expect(nameFinder([])(line, 1)).toBeUndefined();
});
