import type { ChangeRow, PieceKind } from "../../api/schema";

/** What of some pieces has a name, texts first; and how many of each kind have none, as facts. */
export function gathered(pieces: ChangeRow["put"]): { named: string[]; counted: [PieceKind, number][] } {
  const named = pieces.filter(({ name }) => name !== "");
  const counted = new Map<PieceKind, number>();
  for (const { kind, name } of pieces) {
    if (name === "") counted.set(kind as PieceKind, (counted.get(kind as PieceKind) ?? 0) + 1);
  }
  const rank = ({ kind }: ChangeRow["put"][number]) => (kind === "document" ? 0 : 1);
  return {
    named: [...named].sort((a, b) => rank(a) - rank(b)).map(({ name }) => name),
    counted: [...counted],
  };
}
