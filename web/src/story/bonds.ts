import type { RelationKind } from "../api/schema";
import type { Relation } from "../api/story";
import { type Book, fold, relationKindsOf } from "./book";

/** What is between two people, drawn as one line. */
export type Bond = {
  /** The ids of both ends; where it has a direction, from the first to the second. */
  from: string;
  to: string;
  kind: RelationKind;
  /** The author's own word for the kind, from the first to the second; empty if there is none. */
  own: string;
  strength: number;
  isDirected: boolean;
  /** The relations that say so, from either side. */
  relations: Relation[];
};

/** What of the graph is chosen: somebody, or a line between two. */
export type Chosen = { kind: "person"; id: string } | { kind: "bond"; key: string };

export function keyOf({ from, kind, own, to }: Pick<Bond, "from" | "kind" | "own" | "to">): string {
  return `${from} ${own || kind} ${to}`;
}

/** What colour and filter a kind belongs to. */
export type Tone = "family" | "close" | "against" | "work" | "loose";

export const tones: readonly Tone[] = ["family", "close", "against", "work", "loose"];

const toneOf: Record<RelationKind, Tone> = {
  family: "family",
  sibling: "family",
  parent_of: "family",
  child_of: "family",
  friend: "close",
  lover: "close",
  enemy: "against",
  rival: "against",
  ally: "work",
  mentor_of: "work",
  student_of: "work",
  employer_of: "work",
  employee_of: "work",
  knows: "loose",
};

export function tone(kind: RelationKind): Tone {
  return toneOf[kind];
}

/** How a line is drawn: its colour, and the dashes that tell it from one of the same colour. */
export const colours: Record<Tone, string> = {
  family: "var(--feather)",
  close: "var(--feather)",
  against: "var(--red)",
  work: "var(--amber)",
  loose: "var(--dim)",
};
export const dashes: Partial<Record<Tone, string>> = { close: "8 4", loose: "2 4" };

/** The kinds that mean the same from the other side, in the form that is drawn. */
const turned: Partial<Record<RelationKind, RelationKind>> = {
  child_of: "parent_of",
  student_of: "mentor_of",
  employee_of: "employer_of",
};

const directed: readonly RelationKind[] = ["parent_of", "mentor_of", "employer_of"];

export const relationKinds = Object.keys(toneOf) as RelationKind[];

/** Whether a relation holds at the end of a chapter. */
export function holdsAt(book: Book, relation: Relation, chapter: number): boolean {
  const since = book.chapterOf(relation.since) ?? 0;
  const until = book.chapterOf(relation.until) ?? Number.POSITIVE_INFINITY;
  return since <= chapter && chapter < until;
}

/** The kind of a relation in the form that is drawn: the author's own word for it before the declared kind. */
function meaningOf(book: Book, { type, own_kind: word = "" }: Relation) {
  const other = turned[type];
  if (word.trim() === "") {
    const kind = other ?? type;
    return { kind, own: "", isTurned: other !== undefined, isDirected: directed.includes(kind) };
  }
  const own = relationKindsOf(book.story).find(({ name, inverse }) =>
    [name, inverse].some((each) => fold(each) === fold(word)),
  );
  if (!own) return { kind: type, own: word.trim(), isTurned: false, isDirected: true };
  const isTurned = !own.symmetric && fold(own.name) !== fold(word);
  return { kind: type, own: own.name, isTurned, isDirected: !own.symmetric };
}

/** Relations as lines: both sides of the same thing become one. */
export function bonds(book: Book, relations: readonly Relation[]): Bond[] {
  const found = new Map<string, Bond>();
  for (const relation of relations) {
    const from = book.named(relation.from);
    const to = book.named(relation.to);
    if (!from || !to || from.id === to.id) continue;
    const { kind, own, isTurned, isDirected } = meaningOf(book, relation);
    const [a, b] = isTurned ? [to.id, from.id] : [from.id, to.id];
    const [first, second] = isDirected || a < b ? [a, b] : [b, a];
    const key = keyOf({ from: first, kind, own, to: second });
    const same = found.get(key);
    if (same) {
      same.relations.push(relation);
      same.strength = Math.max(same.strength, relation.strength);
    } else {
      found.set(key, {
        from: first,
        to: second,
        kind,
        own,
        strength: relation.strength,
        isDirected,
        relations: [relation],
      });
    }
  }
  return [...found.values()];
}
