import type { ChangeRow } from "../api/schema";

/** Changes that an author takes as one: a sitting at the same text, what was taken back at once, or one thing that was done. */
export type Group = {
  /** Oldest first. */
  changes: readonly ChangeRow[];
  first: ChangeRow;
  last: ChangeRow;
  put: ChangeRow["put"];
  removed: ChangeRow["removed"];
  /** Whether all of it was taken back. */
  isTakenBack: boolean;
};

/** Saves of one hand that follow each other so soon belong together. */
const SITTING = 10 * 60_000;
/** What is taken back at once comes so soon after each other. */
const AT_ONCE = 5_000;
const PERSON = "person";

/** The log as an author reads it, newest first: successive saves of the same texts by hand are one change. */
export function groupsOf(log: readonly ChangeRow[]): Group[] {
  const undone = undoneIn(log);
  const groups: ChangeRow[][] = [];
  for (const change of log) {
    const before = groups.at(-1);
    const last = before?.at(-1);
    const isTold = undone.has(change.change);
    if (before && last && isOneSitting(last, change) && undone.has(last.change) === isTold)
      before.push(change);
    else groups.push([change]);
  }
  return groups.map((changes) => grouped(changes, undone)).reverse();
}

/** The changes to take back, one after the other, so that all is again as it was after `target`. */
export function stepsBack(log: readonly ChangeRow[], target: number): number[] {
  const settled = new Set<number>();
  const steps: number[] = [];
  for (const { change, undoes } of [...log].reverse()) {
    if (change <= target || settled.has(change)) continue;
    // What was done and taken back since is as if it had never been.
    if (undoes != null && undoes > target) settled.add(undoes);
    else steps.push(change);
  }
  return steps;
}

/** What is taken back: by a change that holds itself. */
function undoneIn(log: readonly ChangeRow[]): ReadonlySet<number> {
  const undone = new Set<number>();
  for (const { change, undoes } of [...log].reverse())
    if (undoes != null && !undone.has(change)) undone.add(undoes);
  return undone;
}

function isOneSitting(one: ChangeRow, next: ChangeRow): boolean {
  if (one.agent !== PERSON || next.agent !== PERSON || one.run !== next.run) return false;
  const pause = Date.parse(next.at) - Date.parse(one.at);
  if (one.undoes != null || next.undoes != null) {
    // Taken back one before the other, as those are that belong together.
    return one.undoes != null && next.undoes != null && next.undoes < one.undoes && pause < AT_ONCE;
  }
  const texts = textsOf(one);
  return texts !== "" && texts === textsOf(next) && pause < SITTING;
}

/** The texts that a change wrote, as one word. */
function textsOf({ put }: ChangeRow): string {
  return put
    .filter(({ kind }) => kind === "document")
    .map(({ id }) => id)
    .sort()
    .join(" ");
}

function grouped(changes: readonly ChangeRow[], undone: ReadonlySet<number>): Group {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) throw new Error("a group has changes");
  return {
    changes,
    first,
    last,
    put: once(changes.flatMap(({ put }) => put)),
    removed: once(changes.flatMap(({ removed }) => removed)),
    isTakenBack: changes.every(({ change }) => undone.has(change)),
  };
}

function once(pieces: ChangeRow["put"]): ChangeRow["put"] {
  return [...new Map(pieces.map((piece) => [`${piece.kind}/${piece.id}`, piece])).values()];
}
