const HAN = /\p{Script=Han}/u;
/** A line of marks that parts scenes, or a heading in Markdown: left as it is. */
const BREAK = /^[\s*＊※#\-_=~—·]+$|^#{1,6}\s/u;
/** What is never touched: addresses of the web and of mail. */
const KEPT = /(?:https?:\/\/|www\.)[^\s\p{Script=Han}，。；！？”’）》]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu;
const WIDE: Record<string, string> = { ",": "，", "?": "？", "!": "！", ":": "：", ";": "；" };

/**
 * A text set as Chinese books are: no typed indents, no needless blank lines, full-width punctuation beside Han
 * characters, curly quotes in pairs, `……` and `——`. Numbers, Latin words and addresses stay. Doing it twice changes
 * nothing more.
 */
export function tidy(text: string): string {
  return withoutBlanks(text.split("\n").map(tidyLine)).join("\n");
}

/** Where paragraphs are parted by blank lines as a rule these all go; else one stays of each run, as a pause. */
function withoutBlanks(lines: string[]): string[] {
  const filled = lines.filter((line) => line !== "").length;
  const runs = lines.filter((line, index) => line === "" && lines[index - 1] !== "").length;
  const isRule = filled > 1 && runs >= (filled - 1) / 2;
  const kept = lines.filter(
    (line, index) => line !== "" || (!isRule && index > 0 && lines[index - 1] !== ""),
  );
  while (kept.length > 1 && kept[kept.length - 1] === "") kept.pop();
  return kept;
}

function tidyLine(line: string): string {
  const bare = line.replace(/^[\s\u3000]+|[\s\u3000]+$/gu, "");
  if (BREAK.test(bare) || !HAN.test(bare)) return bare;
  let rest = 0;
  let tidied = "";
  for (const kept of bare.matchAll(KEPT)) {
    tidied += points(bare.slice(rest, kept.index)) + kept[0];
    rest = kept.index + kept[0].length;
  }
  return quotes(tidied + points(bare.slice(rest)));
}

const BESIDE = '[\\p{Script=Han}，。！？：；、”’」』）》…—"]';

function points(text: string): string {
  return text
    .replace(/\.{3,}|。{3,}|…+/gu, "……")
    .replace(/-{2,}|—+/gu, "——")
    .replace(/\(([^()]*\p{Script=Han}[^()]*)\)/gu, "（$1）")
    .replace(new RegExp(`(?<=${BESIDE})[,?!:;]+ *|[,?!:;]+(?=\\p{Script=Han})`, "gu"), (found) =>
      [...found.trimEnd()].map((mark) => WIDE[mark] ?? mark).join(""),
    )
    .replace(/(?<=[\p{Script=Han}”’」』）》])\.(?![\w.]) */gu, "。");
}

/** Straight quotes become a pair where their number allows it. */
function quotes(line: string): string {
  const isSingle = /(?<![A-Za-z0-9])'|'(?![A-Za-z0-9])/gu;
  return paired(paired(line, /"/gu, "“", "”"), isSingle, "‘", "’");
}

function paired(line: string, mark: RegExp, open: string, close: string): string {
  const found = line.match(mark)?.length ?? 0;
  if (found === 0 || found % 2 === 1) return line;
  let isOpen = false;
  return line.replace(mark, () => {
    isOpen = !isOpen;
    return isOpen ? open : close;
  });
}
