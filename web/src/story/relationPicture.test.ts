import { expect, it } from "vitest";
import type { Character } from "../api/story";
import type { Bond } from "./bonds";
import { relationPicture } from "./relationPicture";

const person = (id: string, name: string, role_type: Character["role_type"], occupation = "") =>
  ({ id, name, role_type, occupation }) as Character;
const characters = [
  person("c-1", "覃稻生", "protagonist", "渡口的船工"),
  person("c-2", "陆尺素", "antagonist"),
  person("c-3", "A <b> & the very long name of somebody", "supporting"),
];
const bond = (from: string, to: string, kind: Bond["kind"], isDirected: boolean): Bond => ({
  from,
  to,
  kind,
  own: "",
  strength: 0.5,
  isDirected,
  relations: [],
});
const lines = [bond("c-1", "c-2", "enemy", false), bond("c-1", "c-3", "mentor_of", true)];
const draw = (shown: readonly Bond[]) =>
  relationPicture({
    characters,
    all: lines,
    lines: shown,
    faint: new Set(["c-3"]),
    caption: "尺素 · 截至第三章",
    nameOf: (kind) => (kind === "enemy" ? "仇敌" : "师长"),
    resolve: (value) => `[${value}]`,
  });
const texts = (svg: string) => {
  const document = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(document.querySelector("parsererror")).toBeNull();
  return [...document.querySelectorAll("text")].map(({ textContent }) => textContent);
};

it("names everybody and every line, in any script, and is well formed", () => {
  const { svg, width, height } = draw(lines);
  const found = texts(svg);
  for (const words of ["覃稻生", "渡口的船工", "陆尺素", "生", "仇敌", "师长", "尺素 · 截至第三章"]) {
    expect(found).toContain(words);
  }
  expect(found.some((words) => words?.startsWith("A <b> &") && words.endsWith("…"))).toBe(true);
  expect(svg).toContain(`viewBox="`);
  expect(width).toBeGreaterThan(172 + 64);
  expect(height).toBeGreaterThan(52 + 64);
  expect(svg).toContain("[var(--red)]");
});

it("places people alike whichever lines are shown, and has no line that is hidden", () => {
  const [every, none] = [draw(lines), draw([])];
  expect([every.width, every.height]).toEqual([none.width, none.height]);
  expect(texts(none.svg)).not.toContain("仇敌");
});
