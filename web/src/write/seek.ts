/** How something is looked for. */
export type Wanted = { words: string; isExact: boolean };

/** A place where it stands, with what stands around it. */
export type Hit = { from: number; to: number; before: string; after: string };

/** How many characters around a hit are told. */
const AROUND = 18;

/** All places of a text where words stand, in order; none overlaps another. */
export function seek(text: string, { words, isExact }: Wanted): Hit[] {
  if (words === "") return [];
  const pattern = new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), isExact ? "gu" : "giu");
  return Array.from(text.matchAll(pattern), (found) => {
    const [from, to] = [found.index, found.index + found[0].length];
    return {
      from,
      to,
      before: lastLine(text.slice(Math.max(0, from - AROUND), from)),
      after: firstLine(text.slice(to, to + AROUND)),
    };
  });
}

/** The text with `put` in the place of the hits of these numbers. */
export function replaced(
  text: string,
  hits: readonly Hit[],
  chosen: ReadonlySet<number>,
  put: string,
): string {
  let rest = 0;
  let made = "";
  hits.forEach(({ from, to }, number) => {
    if (!chosen.has(number)) return;
    made += text.slice(rest, from) + put;
    rest = to;
  });
  return made + text.slice(rest);
}

/** Whether two lists of hits are the same places, as far as one sees. */
export function isSame(one: readonly Hit[], other: readonly Hit[]): boolean {
  return (
    one.length === other.length &&
    one.every((hit, number) => hit.before === other[number]?.before && hit.after === other[number]?.after)
  );
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n") + 1);
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(0, end);
}
