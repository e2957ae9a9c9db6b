import type { CharacterPanel, Finding, PanelRow, RowKind } from "../api/schema";
import type { Ladder } from "../api/story";
import { anchored } from "./anchors";
import { type Book, fold, laddersOf } from "./book";

/** The kinds of rows of a panel, in the order in which they are shown. */
export const rowKinds: readonly RowKind[] = ["ladder", "attribute", "resource", "skill"];

/** What the rules about ladders and panels begin with. */
export const LADDER_RULES = ["QY41"];

/** Somebody on a ladder. */
export type Standing = { who: string; row: PanelRow };

/** Who stands on a ladder, those first who hide nothing. */
export function standingsOn(ladder: Ladder, panels: readonly CharacterPanel[]): Standing[] {
  const found = panels.flatMap(({ who, rows }) =>
    rows.filter(({ kind, key }) => kind === "ladder" && isCalled(ladder, key)).map((row) => ({ who, row })),
  );
  return found.sort((a, b) => Number(a.row.mode !== "narrated") - Number(b.row.mode !== "narrated"));
}

/** The rows of a panel by kind; kinds without rows are left out. */
export function sections(panel: CharacterPanel): [RowKind, PanelRow[]][] {
  return rowKinds
    .map((kind): [RowKind, PanelRow[]] => [kind, panel.rows.filter((row) => row.kind === kind)])
    .filter(([, rows]) => rows.length > 0);
}

/** The value of a row as a person reads it: a word unit stands apart, a Chinese one or a sign does not. */
export function shownValue({ value, unit }: Pick<PanelRow, "value" | "unit">): string {
  const text = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return `${text}${/^\p{Script=Latin}/u.test(unit) ? " " : ""}${unit}`;
}

/** The findings about ladders and panels, by what they are about. */
export type LadderFindings = {
  /** By the id of a ladder. */
  ladders: Map<string, Finding[]>;
  /** By the name of somebody. */
  people: Map<string, Finding[]>;
  /** Those that name nobody, such as a sum that is wrong in a panel. */
  others: Finding[];
};

/** Sorts the open findings by the ladders and the people that their facts are about. */
export function findingsAbout(book: Book, findings: readonly Finding[]): LadderFindings {
  const found: LadderFindings = { ladders: new Map(), people: new Map(), others: [] };
  const facts = new Map(book.story.facts.map((fact) => [fact.id, fact]));
  for (const finding of findings) {
    const told = (finding.issue.evidence ?? [])
      .map(({ anchor = "" }) => anchored(book, anchor))
      .flatMap((place) => (place?.kind === "fact" ? [facts.get(place.id)] : []))
      .filter((fact) => fact !== undefined);
    const named = [...(finding.issue.affected_entities ?? []), ...told.map(({ subject }) => subject)];
    const people = named.map((name) => book.named(name)).filter((piece) => piece?.kind === "character");
    const ladders = laddersOf(book.story).filter((ladder) =>
      told.some(({ predicate }) => isCalled(ladder, predicate)),
    );
    for (const id of new Set(ladders.map(({ id }) => id))) put(found.ladders, id, finding);
    for (const name of new Set(people.map((piece) => piece?.name ?? ""))) put(found.people, name, finding);
    if (people.length === 0) found.others.push(finding);
  }
  return found;
}

function put(map: Map<string, Finding[]>, key: string, finding: Finding) {
  map.set(key, [...(map.get(key) ?? []), finding]);
}

function isCalled({ name, alias }: Ladder, word: string): boolean {
  return [name, ...alias].some((own) => fold(own) === fold(word));
}
