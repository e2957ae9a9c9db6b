import { isRecord } from "./tools";

/** What happens to one of the cast in a chapter. */
export type Stage = {
  chapter: number;
  /** What the chapter is to achieve. */
  goal: string;
  events: { id: string; title: string }[];
  /** What turns there. */
  turns: string[];
  relations: { begins: boolean; other: string; type: string }[];
};

/** What is said of somebody more than once, and not the same. */
export type Shift = { predicate: string; values: { value: string; from: string }[] };

/** How somebody changes over a book: counted, not judged. */
export type Arc = {
  stages: Stage[];
  /** In how many chapters of how many. */
  present: number;
  of: number;
  /** Of these, in each third of the book. */
  thirds: number[];
  absence: { chapters: number; after: string; until: string } | undefined;
  shifts: Shift[];
  /** What stands out, in sentences. */
  observations: string[];
};

/** What the tool tells of an arc, with the chapters only in which something happens. */
export function arcOf(told: Record<string, unknown>): Arc {
  const presence = isRecord(told.presence) ? told.presence : {};
  const absence = isRecord(presence.longest_absence) ? presence.longest_absence : undefined;
  return {
    stages: records(told.stages).map(stageOf).filter(isEventful),
    present: number(presence.chapters),
    of: number(presence.of),
    thirds: list(presence.thirds).map(number),
    absence: absence && {
      chapters: number(absence.chapters),
      after: word(absence.after),
      until: word(absence.until),
    },
    shifts: records(told.changes).map(({ predicate, values }) => ({
      predicate: word(predicate),
      values: records(values).map(({ value, from }) => ({ value: word(value), from: word(from) })),
    })),
    observations: records(told.observations).flatMap(({ text }) => word(text) || []),
  };
}

function stageOf(stage: Record<string, unknown>): Stage {
  const turns = list(stage.turning_points).map(word);
  return {
    chapter: number(stage.chapter),
    goal: word(stage.goal),
    events: records(stage.events)
      .map(({ id, title }) => ({ id: word(id), title: word(title) }))
      // What turns is told as such.
      .filter(({ title }) => !turns.includes(title)),
    turns,
    relations: records(stage.relations).map((relation) => ({
      begins: relation.change === "begins",
      other: word(relation.with),
      type: word(relation.type),
    })),
  };
}

function isEventful({ events, turns, relations }: Stage): boolean {
  return events.length + turns.length + relations.length > 0;
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function records(value: unknown): Record<string, unknown>[] {
  return list(value).filter(isRecord);
}

function word(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
