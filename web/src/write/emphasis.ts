import type { Mark } from "./layer";

/** A stretch of a line with its face, without the marks around it. */
export type Stretch = { from: number; to: number; isBold: boolean; isItalic: boolean };
/** The emphasis of a line: its stretches, and the asterisks that mark them. */
export type Emphasis = { stretches: Stretch[]; marks: { from: number; to: number }[] };

type Open = { from: number; length: number };
type Pair = { length: number; open: number; close: number };

const ALNUM = /[A-Za-z0-9]/;
const SPACE = /\s/;

/**
 * Reads the emphasis of a line, as the server does: `*italic*`, `**bold**`, `***both***`.
 *
 * Marks touch their words and stand in one line; an asterisk between letters or digits is none.
 */
export function emphasisOf(line: string): Emphasis {
  const pairs = pairsIn(line);
  const marks = pairs
    .flatMap(({ open, close, length }) => [
      { from: open, to: open + length },
      { from: close, to: close + length },
    ])
    .sort((a, b) => a.from - b.from);
  const stretches: Stretch[] = [];
  let at = 0;
  for (const mark of [...marks, { from: line.length, to: line.length }]) {
    if (at < mark.from) {
      const around = pairs.filter(({ open, close }) => open < at && mark.from <= close);
      stretches.push({
        from: at,
        to: mark.from,
        isBold: around.some(({ length }) => length !== 1),
        isItalic: around.some(({ length }) => length !== 2),
      });
    }
    at = mark.to;
  }
  return { stretches, marks };
}

function pairsIn(line: string): Pair[] {
  if (!line.includes("*") || /^[\s*]*$/.test(line)) return [];
  const pairs: Pair[] = [];
  const open: Open[] = [];
  for (const { index, 0: run } of line.matchAll(/\*+/g)) {
    if (run.length > 3) continue;
    const [before, after] = [line[index - 1], line[index + run.length]];
    const isWithin = before !== undefined && after !== undefined && ALNUM.test(before) && ALNUM.test(after);
    const mayOpen = !isWithin && after !== undefined && !SPACE.test(after);
    const mayClose = !isWithin && before !== undefined && !SPACE.test(before);
    let at = index;
    let left = run.length;
    while (mayClose && left > 0) {
      const length = left;
      const found = open.findLastIndex((one) => one.length <= length);
      const one = open[found];
      if (!one) break;
      pairs.push({ open: one.from, close: at, length: one.length });
      open.length = found;
      at += one.length;
      left -= one.length;
    }
    if (mayOpen && left > 0) open.push({ from: at, length: left });
  }
  return pairs;
}

/** Returns a text without its marks of emphasis. */
export function withoutEmphasis(text: string): string {
  if (!text.includes("*")) return text;
  return text
    .split("\n")
    .map((line) => {
      const { stretches } = emphasisOf(line);
      return stretches.map(({ from, to }) => line.slice(from, to)).join("");
    })
    .join("\n");
}

/** Returns how the emphasis of a text is drawn in the editor: faces for the words, less weight for the asterisks. */
export function emphasisMarks(text: string, classes: { bold: string; italic: string; sign: string }): Mark[] {
  if (!text.includes("*")) return [];
  const drawn: Mark[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    const { stretches, marks } = emphasisOf(line);
    for (const { from, to, isBold, isItalic } of stretches) {
      const names = [isBold && classes.bold, isItalic && classes.italic].filter(Boolean).join(" ");
      if (names) drawn.push({ from: start + from, to: start + to, attributes: { class: names } });
    }
    for (const { from, to } of marks) {
      drawn.push({ from: start + from, to: start + to, attributes: { class: classes.sign } });
    }
    start += line.length + 1;
  }
  return drawn;
}

/** A change of the text, with the selection after it. */
export type Toggled = { from: number; to: number; text: string; select: { from: number; to: number } };

/**
 * Returns the change which emphasises a selection, or takes its emphasis away; `undefined` if there are no words in it.
 *
 * Every line is marked by itself. With nothing selected, a pair of marks is put around the caret.
 */
export function toggled(text: string, from: number, to: number, sign: "*" | "**"): Toggled | undefined {
  const size = sign.length;
  if (from === to) {
    return { from, to, text: sign + sign, select: { from: from + size, to: from + size } };
  }
  const words = text.slice(from, to);
  if (words.trim() === "") return undefined;
  const bare = bareOf(text, from, to, sign);
  if (bare) return bare;
  const put = words
    .split("\n")
    .map((line) => {
      const core = line.trim();
      return core === "" ? line : line.replace(core, () => sign + core + sign);
    })
    .join("\n");
  return { from, to, text: put, select: { from, to: from + put.length } };
}

/** The selection without its marks, if they stand directly inside or around it. */
function bareOf(text: string, from: number, to: number, sign: string): Toggled | undefined {
  const size = sign.length;
  const words = text.slice(from, to);
  const isSign = (start: number) => {
    if (text.slice(start, start + size) !== sign) return false;
    const run = /^\*+/.exec(text.slice(start))?.[0].length ?? 0;
    const back = /\*+$/.exec(text.slice(0, start))?.[0].length ?? 0;
    // Three asterisks are both kinds at once; two are no italics.
    return run + back === size || run + back === 3;
  };
  if (words.length > 2 * size && isSign(from) && isSign(to - size) && !words.includes("\n")) {
    const core = words.slice(size, -size);
    return { from, to, text: core, select: { from, to: from + core.length } };
  }
  if (isSign(from - size) && isSign(to) && from >= size && !words.includes("\n")) {
    const start = from - size;
    return { from: start, to: to + size, text: words, select: { from: start, to: start + words.length } };
  }
  return undefined;
}
