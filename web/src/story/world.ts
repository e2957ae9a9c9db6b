import { isRecord } from "./tools";

/** How long it takes to another place. */
export type Travel = { to: string; duration: string; by: string };

/** What a rule forbids or demands, word by word. */
export type Clause = { who: string; predicate: string; object: string; place: string; unless: string[] };

const word = (value: unknown) => (typeof value === "string" ? value : "");

/** The ways from a place; they stand in the data beside what its shape says. */
export function travelOf(location: object): Travel[] {
  const travel: unknown = "travel" in location ? location.travel : undefined;
  if (!Array.isArray(travel)) return [];
  return travel
    .filter(isRecord)
    .map((way) => ({ to: word(way.to), duration: word(way.duration), by: word(way.by) }))
    .filter(({ to }) => to !== "");
}

/** What a rule forbids or demands, if it says so in a form that is checked. */
export function clauseOf(rule: object, name: "forbids" | "demands"): Clause | undefined {
  const clause: unknown = Object.entries(rule).find(([field]) => field === name)?.[1];
  if (!isRecord(clause)) return undefined;
  const unless = Array.isArray(clause.unless) ? clause.unless.filter((each) => typeof each === "string") : [];
  return {
    who: word(clause.who),
    predicate: word(clause.predicate),
    object: word(clause.object),
    place: word(clause.place),
    unless,
  };
}
