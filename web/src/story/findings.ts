import type { Finding, Severity } from "../api/schema";

const severities: readonly Severity[] = ["critical", "high", "medium", "low"];

/** The families of rules, by what the codes begin with. */
const prefixes = {
  names: "QY1",
  presence: "QY2",
  time: "QY3",
  items: "QY4",
  knowledge: "QY5",
  relations: "QY6",
  promises: "QY7",
  world: "QY8",
  structure: "QY9",
  prose: "QS",
} as const;

export type Family = keyof typeof prefixes | "other";

export const families: readonly Family[] = [...(Object.keys(prefixes) as Family[]), "other"];

/** The family that a rule's code belongs to. */
export function familyOf(code: string | null | undefined): Family {
  const found = Object.entries(prefixes).find(([, prefix]) => code?.startsWith(prefix));
  return (found?.[0] as Family | undefined) ?? "other";
}

/** Findings by how bad they are, the worst first. */
export function groups(findings: readonly Finding[]): [Severity, Finding[]][] {
  return severities
    .map((severity): [Severity, Finding[]] => [
      severity,
      findings.filter(({ issue }) => (issue.severity ?? "medium") === severity),
    ])
    .filter(([, group]) => group.length > 0);
}
