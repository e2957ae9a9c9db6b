import type { BranchPiece } from "../api/schema";

/** Pieces that are told in one line. */
export type Group = [BranchPiece, ...BranchPiece[]];

/** Pieces of one kind to which both sides did the same, together; conflicts alone, and first. */
export function together(pieces: readonly BranchPiece[]): Group[] {
  const groups = new Map<string, Group>();
  for (const piece of pieces) {
    const { kind, project, branch, conflict, id } = piece;
    const alike = [kind, project, branch, conflict ? id : ""].join(" ");
    const group = groups.get(alike);
    if (group) group.push(piece);
    else groups.set(alike, [piece]);
  }
  return [...groups.values()].sort(([one], [other]) => Number(other.conflict) - Number(one.conflict));
}

const MOST_NAMES = 6;

/** The names of pieces as far as they fit a line; ids of those without one. */
export function namesOf(group: readonly Pick<BranchPiece, "name" | "id">[]): string {
  const names = group.map(({ name, id }) => name || id);
  return names.slice(0, MOST_NAMES).join(" · ") + (names.length > MOST_NAMES ? " …" : "");
}
