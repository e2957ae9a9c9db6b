import { Schema } from "@tiptap/pm/model";
import { EditorState } from "@tiptap/pm/state";
import { describe, expect, it } from "vitest";
import { type Anchor, anchorOf, locate } from "./anchor";
import { keep, open, proposalPlugin, proposalsOf, take, wordsAt } from "./proposals";
import { documentOf, offsetAt, positionAt, sliceOf, textOf } from "./text";

/** A small generator, so that a failure can be repeated. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const SENTENCES = [
  "雨停了。",
  "她没有回头。",
  "“走吧。”他说。",
  "灯还亮着，桌上的茶已经凉透。",
  "She waited. ",
];
const TYPED = ["风", "远处传来汽笛。", "\n", "他想了想，", "雨停了。", "x"];

function textWith(next: (below: number) => number, paragraphs: number): string {
  const line = () =>
    Array.from({ length: 2 + next(4) }, () => SENTENCES[next(SENTENCES.length)] ?? "").join("");
  return Array.from({ length: paragraphs }, line).join("\n");
}

describe("an anchor", () => {
  it("finds its words after what stands before them has changed", () => {
    const text = "雨停了。她走了。";
    const anchor = anchorOf(text, 4, 8);
    expect(locate(`天亮以后，${text}`, anchor)).toEqual({ from: 9, to: 13 });
    expect(locate("她走了。", anchor)).toEqual({ from: 0, to: 4 });
  });

  it("tells words that stand in several places apart by their context", () => {
    const text = "门开了。她笑了。灯灭了。\n很久以后，谁也没有说话。她笑了。天亮了。";
    const second = text.lastIndexOf("她笑了。");
    const anchor = anchorOf(text, second, second + 4);
    const edited = text.replace("门开了。", "门被风吹开了，没有人进来。");
    expect(locate(edited, anchor)?.from).toBe(edited.lastIndexOf("她笑了。"));
  });

  it("takes no other words for its own once those have changed", () => {
    const text = "门开了。她笑了。灯灭了。\n很久以后，谁也没有说话。她笑了。天亮了。";
    const first = text.indexOf("她笑了。");
    const edited = text.replace("她笑了。", "她哭了。");
    expect(locate(edited, anchorOf(text, first, first + 4), first)).toBeUndefined();
  });

  it("always knows a place between two characters", () => {
    const text = "雨停了。她走了。";
    expect(locate(`早上，${text}`, anchorOf(text, 4, 4))).toEqual({ from: 7, to: 7 });
    expect(locate("", anchorOf(text, 4, 4))).toEqual({ from: 0, to: 0 });
  });

  it("finds every sentence that stands once, wherever a thousand edits have moved it", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const next = random(seed);
      const lines = Array.from({ length: 12 }, (_, number) => `第${number}句话里有一个${seed}号的名字。`);
      let text = lines.join("");
      const anchors = lines.map(
        (line): Anchor => anchorOf(text, text.indexOf(line), text.indexOf(line) + line.length),
      );
      for (let edit = 0; edit < 50; edit++) {
        // Between sentences only: those that stand now are the ones that stood before.
        const ends = [0, ...Array.from(text.matchAll(/。/g), ({ index }) => index + 1)];
        const at = ends[next(ends.length)] ?? 0;
        const isFree = anchors.every(({ quote }) => {
          const from = text.indexOf(quote);
          return at <= from || at >= from + quote.length;
        });
        if (isFree) text = text.slice(0, at) + TYPED[next(TYPED.length)] + text.slice(at);
      }
      for (const anchor of anchors) expect(locate(text, anchor)?.from).toBe(text.indexOf(anchor.quote));
    }
  });
});

const schema = new Schema({
  nodes: { doc: { content: "paragraph+" }, paragraph: { content: "text*" }, text: {} },
});
const nothing = () => "";
const plugin = () =>
  proposalPlugin({
    labels: { take: nothing, discard: nothing, changed: nothing, working: nothing },
    onDecide: () => undefined,
    onCompare: () => undefined,
  });
const stateOf = (text: string) =>
  EditorState.create({ doc: schema.nodeFromJSON(documentOf(text)), plugins: [plugin()] });

describe("proposals in a document that is edited", () => {
  it("lose none whose words stand, over a thousand random edits", () => {
    let standing = 0;
    let lost = 0;
    for (let seed = 1; seed <= 10; seed++) {
      const next = random(seed * 7919);
      const text = textWith(next, 12);
      const changes = Array.from(text.matchAll(/[^。\n]+。/g), ({ index, 0: words }) => ({
        from: index,
        to: index + words.length,
        text: `改${index}`,
      }));
      let state = stateOf(text);
      state = state.apply(open(state, "order", keep(text, changes), 0));
      // Where each stands is kept beside the plugin, edit by edit, in offsets of the text.
      let expected = changes.map(({ from, to }) => ({ from, to, isWhole: true }));
      for (let edit = 0; edit < 100; edit++) {
        const now = textOf(state.doc);
        const from = next(now.length + 1);
        const to = Math.min(now.length, from + (next(3) === 0 ? next(6) : 0));
        const put = to > from && next(2) === 0 ? "" : (TYPED[next(TYPED.length)] ?? "");
        const [start, end] = [positionAt(now, from), positionAt(now, to)];
        const step =
          put === "" ? state.tr.delete(start, end) : state.tr.replace(start, end, sliceOf(schema, put));
        state = state.apply(step);
        const moved = put.length - (to - from);
        expected = expected.map((one) => {
          if (from >= one.to) return one;
          if (to <= one.from) return { ...one, from: one.from + moved, to: one.to + moved };
          return { ...one, isWhole: false };
        });
      }
      const after = textOf(state.doc);
      const pieces = proposalsOf(state)[0]?.pieces ?? [];
      expect(pieces).toHaveLength(changes.length);
      pieces.forEach((piece, index) => {
        const own = expected[index];
        if (!own?.isWhole) {
          lost++;
          return;
        }
        standing++;
        expect(after.slice(own.from, own.to)).toBe(piece.anchor.quote);
        expect(piece.stands).toBe(true);
        expect(offsetAt(state.doc, piece.from)).toBe(own.from);
        expect(wordsAt(state.doc, piece)).toBe(piece.anchor.quote);
      });
      const whole = pieces.filter((_, index) => expected[index]?.isWhole);
      const taken = take(
        state,
        whole.map(({ id }) => id),
      );
      let wanted = "";
      let rest = 0;
      expected.forEach((one, index) => {
        if (!one.isWhole) return;
        wanted += after.slice(rest, one.from) + changes[index]?.text;
        rest = one.to;
      });
      if (taken) expect(textOf(state.apply(taken).doc)).toBe(wanted + after.slice(rest));
    }
    expect(standing).toBeGreaterThan(50);
    expect(lost).toBeGreaterThan(0);
  });

  it("are kept when their words change, and apply again when the words are back", () => {
    const text = "雨停了。她走了，没有回头。";
    let state = stateOf(text);
    state = state.apply(open(state, "order", keep(text, [{ from: 4, to: 13, text: "她留下了。" }]), 4));
    const piece = () => proposalsOf(state)[0]?.pieces[0];
    const at = positionAt(text, 6);
    state = state.apply(state.tr.insertText("慢慢", at));
    expect(piece()?.stands).toBe(false);
    state = state.apply(state.tr.delete(at, at + 2));
    expect(piece()?.stands).toBe(true);
  });

  it("go into one place in their order, whichever is taken first", () => {
    const text = "甲。";
    const changes = ["一。", "二。", "三。"].map((put) => ({ from: 2, to: 2, text: put }));
    for (const order of [
      [2, 0, 1],
      [1, 0, 2],
      [0, 2, 1],
      [2, 1, 0],
    ]) {
      let state = stateOf(text);
      state = state.apply(open(state, "order", keep(text, changes), 2));
      const ids = proposalsOf(state)[0]?.pieces.map(({ id }) => id) ?? [];
      for (const index of order) {
        const step = take(state, [ids[index] ?? 0]);
        if (step) state = state.apply(step);
      }
      expect(textOf(state.doc)).toBe("甲。一。二。三。");
    }
  });

  it("leave the rest in its place when some are taken together", () => {
    const text = "甲。";
    let state = stateOf(text);
    const changes = ["一。", "二。", "三。"].map((put) => ({ from: 2, to: 2, text: put }));
    state = state.apply(open(state, "order", keep(text, changes), 2));
    const [first, second, third] = proposalsOf(state)[0]?.pieces.map(({ id }) => id) ?? [];
    for (const ids of [[first, third], [second]]) {
      const step = take(state, ids as number[]);
      if (step) state = state.apply(step);
    }
    expect(textOf(state.doc)).toBe("甲。一。二。三。");
  });
});
