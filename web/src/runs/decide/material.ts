import type { PieceKind } from "../../api/schema";
import type { Data } from "../../story/fields";

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

/** What kind of pieces a part is made of, where there are forms for them. */
export const partOf: Partial<Record<Part, PieceKind>> = {
  outline_nodes: "outline_node",
  characters: "character",
  character_relations: "relation",
  timeline_events: "event",
  plot_nodes: "plot_node",
  worldview: "worldview",
};

/** A part as the author sees its JSON. */
export function written(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The pieces of a part: those of a list, or the one that it is. */
export function piecesIn(value: unknown): Data[] {
  const all: unknown[] = Array.isArray(value) ? value : [value];
  return all.filter(
    (piece): piece is Data => typeof piece === "object" && piece !== null && !Array.isArray(piece),
  );
}

/** A part with another piece in a place. */
export function withPiece(value: unknown, place: number, piece: Data): unknown {
  return Array.isArray(value) ? piecesIn(value).map((one, index) => (index === place ? piece : one)) : piece;
}

/** A list without the piece in a place. */
export function withoutPiece(value: unknown, place: number): unknown {
  return Array.isArray(value) ? piecesIn(value).filter((_, index) => index !== place) : value;
}

/** What a piece is called: by its name or title, a relation by both of its ends. */
export function nameOf({ name, title, from, to }: Data): string {
  const said = name ?? title;
  if (typeof said === "string" && said !== "") return said;
  return typeof from === "string" && typeof to === "string" ? `${from} → ${to}` : "";
}

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
