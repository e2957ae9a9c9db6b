/** What was typed into a field and not saved yet, with the version that it was begun from. */
export type Draft = { typed: string; base: number };

const place = (project: string, path: string) => `qingyu.field.${project}.${path}`;

/** What was left in the editor of a field, if anything was; it outlives the page until the tab is closed. */
export function draftOf(project: string, path: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(place(project, path)) ?? "null");
    if (typeof kept !== "object" || kept === null) return undefined;
    const { typed, base } = kept as Partial<Record<keyof Draft, unknown>>;
    return typeof typed === "string" && typeof base === "number" ? { typed, base } : undefined;
  } catch {
    return undefined;
  }
}

export function keepDraft(project: string, path: string, draft: Draft | undefined): void {
  if (draft) sessionStorage.setItem(place(project, path), JSON.stringify(draft));
  else sessionStorage.removeItem(place(project, path));
}
