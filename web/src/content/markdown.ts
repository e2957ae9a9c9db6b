/** A stretch of a line; `isStrong` between two stars on either side. */
export type Words = { text: string; isStrong: boolean };

/** A block of a text in Markdown, as far as it is shown: what is not known stays text. */
export type Block =
  | { kind: "heading"; level: number; words: Words[] }
  | { kind: "paragraph" | "quote"; lines: Words[][] }
  | { kind: "list"; isOrdered: boolean; first: number; items: { depth: number; words: Words[] }[] }
  | { kind: "code"; text: string }
  | { kind: "rule" };

const HEADING = /^(#{1,6})\s+(.*)$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,4})[.)])\s+(.*)$/;
const RULE = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;

/** The blocks of a text. Nothing of it becomes HTML or a link. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.startsWith("```")) {
      const end = lines.findIndex((other, place) => place > at && other.startsWith("```"));
      const last = end < 0 ? lines.length : end;
      blocks.push({ kind: "code", text: lines.slice(at + 1, last).join("\n") });
      at = last;
    } else {
      take(blocks, line, lines[at - 1]?.trim() === "");
    }
  }
  return blocks;
}

/** Puts a line into the last block if it goes on with it, else into one of its own. */
function take(blocks: Block[], line: string, isAfterBlank: boolean): void {
  const last = blocks.at(-1);
  const heading = HEADING.exec(line);
  if (line.trim() === "") return;
  if (heading) {
    blocks.push({ kind: "heading", level: heading[1]?.length ?? 1, words: wordsOf(heading[2] ?? "") });
    return;
  }
  if (RULE.test(line)) {
    blocks.push({ kind: "rule" });
    return;
  }
  const item = ITEM.exec(line);
  if (item) {
    const isOrdered = item[2] !== undefined;
    const entry = { depth: Math.floor((item[1]?.length ?? 0) / 2), words: wordsOf(item[3] ?? "") };
    if (last?.kind === "list" && (entry.depth > 0 || last.isOrdered === isOrdered)) last.items.push(entry);
    else blocks.push({ kind: "list", isOrdered, first: Number(item[2] ?? 1), items: [entry] });
    return;
  }
  const isQuote = line.startsWith(">");
  const kind = isQuote ? "quote" : "paragraph";
  const words = wordsOf(isQuote ? line.replace(/^>\s?/, "") : line);
  if (last?.kind === kind && !isAfterBlank) last.lines.push(words);
  else blocks.push({ kind, lines: [words] });
}

/** A line as plain and strong stretches. */
export function wordsOf(line: string): Words[] {
  return line
    .split(/\*\*(.+?)\*\*/)
    .map((text, place) => ({ text, isStrong: place % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
