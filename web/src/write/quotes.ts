import type { Finding } from "../api/schema";

/** A quoted passage of the text, and the finding that quotes it. */
export type Quoted = { finding: string; severity: string; from: number; to: number };

/** Shorter quotes are looked for only where the finding names the place. */
const SHORTEST = 4;

/** Where the evidence of findings stands in a chapter. */
export function quotedIn(text: string, document: string, findings: readonly Finding[]): Quoted[] {
  return findings.flatMap(({ issue }) =>
    (issue.evidence ?? []).flatMap(({ anchor = "", quote = "" }) => {
      const found = find(text, quote, placeOf(anchor, document, text));
      if (!found) return [];
      return [{ finding: issue.id ?? "", severity: issue.severity ?? "medium", ...found }];
    }),
  );
}

/** The findings that speak of a chapter: by its document, or by its words. */
export function findingsOf(text: string, document: string, findings: readonly Finding[]): Finding[] {
  const quoted = new Set(quotedIn(text, document, findings).map(({ finding }) => finding));
  return findings.filter(
    ({ issue }) =>
      !isWaived(issue) &&
      (quoted.has(issue.id ?? "") ||
        issue.evidence?.some(({ anchor }) => anchor?.startsWith(`documents/${document}/`))),
  );
}

function isWaived(issue: object): boolean {
  return "waived" in issue && issue.waived !== null && issue.waived !== undefined;
}

/** What an anchor says: `here` with a place if it names one, else nothing of this document. */
function placeOf(anchor: string, document: string, text: string): { isHere: boolean; near: number } {
  const isHere = anchor.startsWith(`documents/${document}/`);
  const byte = isHere ? Number(/@(\d+)-\d+$/.exec(anchor)?.[1] ?? 0) : 0;
  return { isHere, near: byte > 0 ? offsetOfByte(text, byte) : 0 };
}

function offsetOfByte(text: string, byte: number): number {
  const bytes = new TextEncoder().encode(text);
  return new TextDecoder().decode(bytes.subarray(0, byte)).length;
}

function find(
  text: string,
  quote: string,
  { isHere, near }: { isHere: boolean; near: number },
): { from: number; to: number } | undefined {
  // A quote may be followed by where or when it was said, in brackets.
  for (const words of new Set([quote.trim(), quote.replace(/\s*[（(][^（()）]*[)）]\s*$/u, "").trim()])) {
    if (words.length < (isHere ? 1 : SHORTEST)) continue;
    const from = nearest(text, words, near);
    if (from !== -1) return { from, to: from + words.length };
    const found = throughEmphasis(text, words, near);
    if (found) return found;
  }
  return undefined;
}

/** Finds words that are written with marks of emphasis among them. */
function throughEmphasis(
  text: string,
  words: string,
  near: number,
): { from: number; to: number } | undefined {
  if (!text.includes("*")) return undefined;
  const offsets: number[] = [];
  for (let offset = 0; offset < text.length; offset++) if (text[offset] !== "*") offsets.push(offset);
  const plain = text.replaceAll("*", "");
  const bare = words.replaceAll("*", "");
  if (bare === "") return undefined;
  const start = offsets.findIndex((offset) => offset >= near);
  const from = nearest(plain, bare, Math.max(0, start));
  if (from === -1) return undefined;
  return { from: offsets[from] ?? 0, to: (offsets[from + bare.length - 1] ?? 0) + 1 };
}

function nearest(text: string, words: string, near: number): number {
  let best = -1;
  for (let at = text.indexOf(words); at !== -1; at = text.indexOf(words, at + 1)) {
    if (best === -1 || Math.abs(at - near) < Math.abs(best - near)) best = at;
  }
  return best;
}
