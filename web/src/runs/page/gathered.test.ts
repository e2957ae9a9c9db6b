import { expect, it } from "vitest";
import { gathered } from "./gathered";

it("names what has a name, and counts the rest by its kind", () => {
  const piece = (kind: string, name: string, id = name) => ({ kind, id, name });
  const pieces = [
    piece("fact", "", "f-1"),
    piece("character", "林雨"),
    piece("document", "第一章"),
    piece("fact", "", "f-2"),
  ];
  expect(gathered(pieces)).toEqual({ named: ["第一章", "林雨"], counted: [["fact", 2]] });
});
