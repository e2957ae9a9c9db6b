import type { Finding } from "../api/schema";
import { anchored } from "./anchors";
import type { Book } from "./book";
import { isRecord } from "./tools";

/** Who lets a finding stand, and why; none if nobody does. */
export function waiverOf({ issue }: Finding): { reason: string; owner: string } | undefined {
  const waived: unknown = Object.entries(issue).find(([name]) => name === "waived")?.[1];
  if (!isRecord(waived)) return undefined;
  const word = (value: unknown) => (typeof value === "string" ? value : "");
  return { reason: word(waived.reason), owner: word(waived.owner) };
}

/** Why the writer holds a finding to be wrong; none if it does not. */
export function disputeOf({ issue }: Finding): string | undefined {
  const disputed: unknown = Object.entries(issue).find(([name]) => name === "disputed")?.[1];
  return typeof disputed === "string" ? disputed : undefined;
}

/** The findings that touch an event, by the event's id; what is waived is none. */
export function conflictsOf(book: Book, findings: readonly Finding[]): Map<string, Finding[]> {
  const touched = new Map<string, Finding[]>();
  for (const finding of findings) {
    if (waiverOf(finding)) continue;
    const anchors = (finding.issue.evidence ?? []).map(({ anchor }) => anchored(book, anchor ?? ""));
    const ids = new Set([
      ...anchors.flatMap((place) => (place?.kind === "event" ? [place.id] : [])),
      ...(finding.issue.affected_entities ?? []).flatMap((name) => {
        const piece = book.named(name);
        return piece?.kind === "event" ? [piece.id] : [];
      }),
    ]);
    for (const id of ids) touched.set(id, [...(touched.get(id) ?? []), finding]);
  }
  return touched;
}
