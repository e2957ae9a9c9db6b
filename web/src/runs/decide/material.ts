/** The parts of a run's material that an author may put in its place. */
export const editable = [
  "outline_nodes",
  "characters",
  "character_relations",
  "timeline_events",
  "plot_nodes",
  "worldview",
  "style",
] as const;
export type Part = (typeof editable)[number];

/** What the author typed, read: the value, or why it is none. */
export type Read = { value: unknown; failure: undefined } | { value: undefined; failure: string };

export function readJson(text: string): Read {
  try {
    return { value: JSON.parse(text) as unknown, failure: undefined };
  } catch (error) {
    return { value: undefined, failure: error instanceof Error ? error.message : String(error) };
  }
}

/** The parts whose text the author changed, as the server takes them; none if nothing changed or something cannot be read. */
export function changedMaterial(
  before: Readonly<Record<string, unknown>>,
  typed: Readonly<Partial<Record<Part, string>>>,
): Record<string, unknown> | undefined {
  const material: Record<string, unknown> = {};
  for (const part of editable) {
    const text = typed[part];
    if (text === undefined) continue;
    const { value, failure } = readJson(text);
    if (failure !== undefined) return undefined;
    if (JSON.stringify(value) !== JSON.stringify(before[part] ?? null)) material[part] = value;
  }
  return Object.keys(material).length > 0 ? material : undefined;
}
