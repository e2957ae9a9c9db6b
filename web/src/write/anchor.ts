/** Words of a text with the context that they were found in, so that they can be found again after edits. */
export type Anchor = {
  /** The words; empty for a place between two characters. */
  quote: string;
  before: string;
  after: string;
  /** The offset of the words in the text that the anchor was made for. */
  at: number;
  /** Whether the words stood only once in that text. */
  isUnique: boolean;
};

export type Range = { from: number; to: number };

/** Length of the context on either side, in characters. */
const AROUND = 40;
/** Matching characters of context that identify words which stand in several places. */
const ENOUGH = 8;
/** Shorter words are never identified without context. */
const SHORTEST = 4;

export function anchorOf(text: string, from: number, to: number): Anchor {
  const quote = text.slice(from, to);
  return {
    quote,
    before: text.slice(Math.max(0, from - AROUND), from),
    after: text.slice(to, to + AROUND),
    at: from,
    isUnique: quote !== "" && text.indexOf(quote) === text.lastIndexOf(quote),
  };
}

/**
 * Finds the words of an anchor in another version of its text; `undefined` if they no longer stand there.
 *
 * Words that stand at `tracked`, where edits have moved them, are taken at once. Otherwise the place with the most
 * context wins, then the nearest; a place without context counts only for words that stood nowhere else before.
 * An empty quote is always placed.
 */
export function locate(text: string, anchor: Anchor, tracked?: number): Range | undefined {
  const { quote } = anchor;
  if (quote === "") {
    const at = placeBetween(text, anchor, tracked ?? anchor.at);
    return { from: at, to: at };
  }
  if (tracked !== undefined && text.startsWith(quote, tracked)) {
    return { from: tracked, to: tracked + quote.length };
  }
  const near = tracked ?? anchor.at;
  const places: number[] = [];
  for (let at = text.indexOf(quote); at !== -1; at = text.indexOf(quote, at + 1)) places.push(at);
  const best = bestOf(places, near, (at) => contextAt(text, anchor, at, at + quote.length));
  if (best === undefined) return undefined;
  const context = contextAt(text, anchor, best, best + quote.length);
  const isKnown = context >= Math.min(ENOUGH, anchor.before.length + anchor.after.length);
  const isOnly = anchor.isUnique && places.length === 1 && quote.length >= SHORTEST;
  return isKnown || isOnly ? { from: best, to: best + quote.length } : undefined;
}

/** Returns the offset between the words before and the words after that fits best; `near` if nothing of them is left. */
function placeBetween(text: string, anchor: Anchor, near: number): number {
  const bounded = Math.max(0, Math.min(near, text.length));
  const before = anchor.before.slice(-ENOUGH);
  const after = anchor.after.slice(0, ENOUGH);
  const places = [bounded];
  for (let at = before ? text.indexOf(before) : -1; at !== -1; at = text.indexOf(before, at + 1)) {
    places.push(at + before.length);
  }
  for (let at = after ? text.indexOf(after) : -1; at !== -1; at = text.indexOf(after, at + 1))
    places.push(at);
  return bestOf(places, bounded, (at) => contextAt(text, anchor, at, at)) ?? bounded;
}

function bestOf(
  places: readonly number[],
  near: number,
  contextOf: (at: number) => number,
): number | undefined {
  let best: { at: number; context: number; distance: number } | undefined;
  for (const at of places) {
    const [context, distance] = [contextOf(at), Math.abs(at - near)];
    if (!best || context > best.context || (context === best.context && distance < best.distance)) {
      best = { at, context, distance };
    }
  }
  return best?.at;
}

/** Counts the characters of context that stand on both sides of a range. */
function contextAt(text: string, { before, after }: Anchor, from: number, to: number): number {
  let left = 0;
  while (left < before.length && left < from && before[before.length - 1 - left] === text[from - 1 - left]) {
    left++;
  }
  let right = 0;
  while (right < after.length && after[right] === text[to + right]) right++;
  return left + right;
}
