import type { Outcome, StartRequest } from "../api/schema";
import { applied } from "./compare";
import { type KeptPiece, keep } from "./proposals";
import { sentenceHunks } from "./sentences";

/** Commands for a passage of the text. */
export const passageCommands = ["rewrite", "expand", "shorten", "describe", "tone", "own"] as const;
/** Commands for the caret. */
export const caretCommands = ["continue", "dialogue", "scene", "own"] as const;
/** The tones that are offered. */
export const tones = ["tense", "plain", "tender", "cold", "funny", "solemn"] as const;

export type PassageCommand = (typeof passageCommands)[number];
export type CaretCommand = (typeof caretCommands)[number];
export type Command = PassageCommand | CaretCommand;
export type Tone = (typeof tones)[number];

/** Text before the caret that is sent along, in characters; the server uses at most 1,500. */
const BEFORE = 2_000;
/** Length asked for, in characters and words. */
const LENGTHS: Partial<Record<Command, number>> = { dialogue: 30 };

export type Wanted = {
  project: string;
  /** The id of the chapter's document. */
  document: string;
  command: Command;
  /** The instruction, in the language of the book. */
  words: string;
  /** The chapter's text as the server has it, and the place in it. */
  base: string;
  from: number;
  to: number;
  /** The model that writes; the usual one by default. */
  model?: string | undefined;
};

/** Returns the run that answers a command; the project stays as it is, whatever comes of it. */
export function startOf({ project, document, command, words, base, from, to, model }: Wanted): StartRequest {
  const isPassage = from < to;
  const length = isPassage ? undefined : LENGTHS[command];
  return {
    kind: "task",
    project,
    ...(model === undefined ? {} : { model }),
    task: {
      agent: "creative",
      chapter: document,
      description: words,
      context: isPassage
        ? { kind: "rewrite", change: false, range: [charactersIn(base, from), charactersIn(base, to)] }
        : {
            kind: kindOf(command),
            change: false,
            previous_content: base.slice(Math.max(0, from - BEFORE), from),
            ...(length === undefined ? {} : { words: length }),
          },
    },
    options: { writes: "never" },
  };
}

function kindOf(command: Command): "continue" | "dialogue" | "scene" {
  return command === "dialogue" || command === "scene" ? command : "continue";
}

/** Returns how many characters stand before an offset; a pair of surrogates is one. */
export function charactersIn(text: string, offset: number): number {
  let count = 0;
  for (const _ of text.slice(0, offset)) count++;
  return count;
}

/** The changes that came of a command, or why there are none. */
export type Result = { pieces: KeptPiece[] } | { failure: string };

/** Reads the changes from a run that has ended. `language` is that of the book. */
export function resultOf(
  outcome: Outcome,
  { base, from, to }: Pick<Wanted, "base" | "from" | "to">,
  language: string,
): Result {
  const { made } = outcome;
  if (typeof made === "string" || !("task" in made)) {
    return { failure: outcome.errors[0]?.message ?? "" };
  }
  const ended = made.task.results.t1 ?? Object.values(made.task.results)[0];
  const result = ended?.result;
  if (!result) return { failure: made.task.output || (outcome.errors[0]?.message ?? "") };
  const spans = result.metadata?.proposal?.spans ?? [];
  if (from === to) {
    const written = (spans[spans.length - 1]?.after ?? result.output ?? "").trim();
    const text = written === "" ? "" : fitted(written, base, from);
    const pieces = keep(
      base,
      sentenceHunks("", text, language).map((hunk) => ({ ...hunk, from, to: from })),
    );
    return pieces.length > 0 ? { pieces } : { failure: "" };
  }
  const changes = spans.flatMap(({ start, before, after }) => {
    const at = placeOf(base, start, before, from);
    return at === undefined ? [] : [{ from: at, to: at + before.length, text: after }];
  });
  const old = base.slice(from, to);
  const inside = changes
    .filter((change) => from <= change.from && change.to <= to)
    .map((change) => ({ ...change, from: change.from - from, to: change.to - from }));
  const put = applied(old, inside);
  const hunks = sentenceHunks(old, put, language).map((hunk) => ({
    ...hunk,
    from: hunk.from + from,
    to: hunk.to + from,
  }));
  return hunks.length > 0 ? { pieces: keep(base, hunks) } : { failure: "" };
}

/** Returns the offset of words that the server places by bytes; of the next such words if its text was another. */
function placeOf(base: string, byte: number, words: string, from: number): number | undefined {
  const bytes = new TextEncoder().encode(base);
  const at = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, byte)).length;
  if (base.startsWith(words, at)) return at;
  const found = base.indexOf(words, from);
  return found === -1 ? undefined : found;
}

const SENTENCE_END = /[。！？!?….][”’」』）)"']*$/u;

/** Makes new words fit a place: as paragraphs of their own after a sentence that ends its line, else within the line. */
export function fitted(written: string, base: string, at: number): string {
  const joint = base.includes("\n\n") || !base.includes("\n") ? "\n\n" : "\n";
  const text = written.replace(/\r\n?/g, "\n").replace(/\n{2,}/g, joint);
  const before = base.slice(base.lastIndexOf("\n", at - 1) + 1, at).trim();
  const end = base.indexOf("\n", at);
  const after = base.slice(at, end === -1 ? base.length : end).trim();
  if (before === "") return after === "" ? text : text + joint;
  return after === "" && SENTENCE_END.test(before) ? joint + text : text;
}

/** Returns the paragraph at an offset, or the last one before it that has words. */
export function paragraphAt(text: string, offset: number): { from: number; to: number } | undefined {
  let to = text.indexOf("\n", offset);
  if (to === -1) to = text.length;
  for (;;) {
    const from = to === 0 ? 0 : text.lastIndexOf("\n", to - 1) + 1;
    if (text.slice(from, to).trim() !== "") return { from, to };
    if (from === 0) return undefined;
    to = from - 1;
  }
}

/** The beginning of a command in a line of its own; Chinese input methods type `、` where others type a slash. */
const BEGUN = /^[/／、]([^\s/／、]{0,16})$/u;

/** Returns the word after the sign that calls the commands; `undefined` if the line is something else. */
export function commandIn(line: string): string | undefined {
  return BEGUN.exec(line)?.[1];
}
