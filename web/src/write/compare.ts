import { diffArrays } from "diff";

/** A place of a text that is to be otherwise: what stands from `from` to `to` becomes `text`. */
export type Hunk = { from: number; to: number; text: string };
/** Some characters, and what became of them. */
export type Piece = { op: "same" | "added" | "removed"; text: string };

type Block = { from: number; removed: string[]; added: string[] };

/** Beyond so many differences two passages are taken as strangers. */
const MOST_EDITS = 1_500;
/** Changes with at most so many characters between them are one. */
const NEAR = 2;
/** Passages of which less than this part stayed are exchanged as a whole. */
const LEAST_KEPT = 0.3;
const WORD = /[^\P{L}\p{Script=Han}][^\P{L}\p{Script=Han}]|\p{N}\p{N}/u;

/** What makes `after` of `before`, place by place: paragraphs first, then words within those that differ. */
export function hunks(before: string, after: string, language = "zh"): Hunk[] {
  return blocks(before, after).flatMap((block) => refined(block, language));
}

/** The differing paragraphs of two texts, each in pieces. */
export function places(before: string, after: string, language = "zh"): Piece[][] {
  return blocks(before, after).map((block) => {
    const removed = block.removed.join("");
    const local = refined(block, language).map(({ from, to, text }) => ({
      from: from - block.from,
      to: to - block.from,
      text,
    }));
    return pieces(removed, local);
  });
}

/** A text with changes, none of which overlap, made in it. */
export function applied(text: string, changes: readonly Hunk[]): string {
  let rest = 0;
  let made = "";
  for (const { from, to, text: put } of [...changes].sort((a, b) => a.from - b.from)) {
    made += text.slice(rest, from) + put;
    rest = Math.max(rest, to);
  }
  return made + text.slice(rest);
}

function pieces(before: string, changes: readonly Hunk[]): Piece[] {
  const all: Piece[] = [];
  let rest = 0;
  for (const { from, to, text } of changes) {
    all.push({ op: "same", text: before.slice(rest, from) });
    all.push({ op: "removed", text: before.slice(from, to) }, { op: "added", text });
    rest = to;
  }
  all.push({ op: "same", text: before.slice(rest) });
  return all.filter((piece) => piece.text !== "");
}

/** The lines that differ, each with the line break after it. */
function blocks(before: string, after: string): Block[] {
  const found: Block[] = [];
  let at = 0;
  let open: Block | undefined;
  for (const change of diffArrays(linesOf(before), linesOf(after))) {
    const length = change.value.reduce((sum, line) => sum + line.length, 0);
    if (!change.added && !change.removed) {
      open = undefined;
      at += length;
      continue;
    }
    if (!open) {
      open = { from: at, removed: [], added: [] };
      found.push(open);
    }
    if (change.removed) {
      open.removed.push(...change.value);
      at += length;
    } else open.added.push(...change.value);
  }
  return found;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function refined({ from, removed, added }: Block, language: string): Hunk[] {
  if (removed.length !== added.length || removed.length === 0) {
    return within(from, removed.join(""), added.join(""), language);
  }
  let at = from;
  return removed.flatMap((line, index) => {
    const here = at;
    at += line.length;
    return within(here, line, added[index] ?? "", language);
  });
}

function within(from: number, before: string, after: string, language: string): Hunk[] {
  if (before === after) return [];
  const whole = [trimmed({ from, to: from + before.length, text: after }, before)];
  if (before === "" || after === "") return [{ from, to: from + before.length, text: after }];
  const changes = diffArrays(wordsOf(before, language), wordsOf(after, language), {
    maxEditLength: MOST_EDITS,
  });
  if (!changes) return whole;
  const found: Hunk[] = [];
  let at = 0;
  let kept = 0;
  for (const change of changes) {
    const text = change.value.join("");
    if (!change.added && !change.removed) {
      at += text.length;
      kept += text.length;
      continue;
    }
    const last = found[found.length - 1];
    const gap = last && before.slice(last.to - from, at);
    if (last && gap !== undefined && gap.length <= NEAR && !gap.includes("\n")) {
      last.text += gap + (change.added ? text : "");
      last.to = from + at + (change.removed ? text.length : 0);
    } else {
      found.push({
        from: from + at,
        to: from + at + (change.removed ? text.length : 0),
        text: change.added ? text : "",
      });
    }
    if (change.removed) at += text.length;
  }
  if (kept < LEAST_KEPT * Math.max(before.length, after.length)) return whole;
  return found.map((hunk) => trimmed(hunk, before.slice(hunk.from - from, hunk.to - from)));
}

/** Without what both sides have at their ends. */
function trimmed({ from, to, text }: Hunk, before: string): Hunk {
  let head = 0;
  let tail = 0;
  const most = Math.min(before.length, text.length);
  while (head < most && before[head] === text[head]) head++;
  while (tail < most - head && before[before.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  while (head > 0 && (isTorn(before, head) || isTorn(text, head))) head--;
  while (tail > 0 && (isTorn(before, before.length - tail) || isTorn(text, text.length - tail))) tail--;
  return { from: from + head, to: to - tail, text: text.slice(head, text.length - tail) };
}

/** Whether a cut there would go through a pair of surrogates, or a word that is not Han. */
function isTorn(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return (unit >= 0xdc00 && unit <= 0xdfff) || WORD.test(text.slice(Math.max(0, at - 1), at + 1));
}

const segmenters = new Map<string, Intl.Segmenter>();

function wordsOf(text: string, language: string): string[] {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: "word" });
  segmenters.set(language, segmenter);
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
