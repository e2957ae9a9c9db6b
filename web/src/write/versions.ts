import type { VersionRow } from "../api/schema";

/** Saves of one hand that follow each other so soon belong together. */
const SITTING = 10 * 60_000;

/** The last version of each sitting, newest first; the first of all is always among them. */
export function sittings(versions: readonly VersionRow[]): VersionRow[] {
  return versions.filter((row, index) => index === 0 || !isSameSitting(row, versions[index + 1])).reverse();
}

function isSameSitting(row: VersionRow, next: VersionRow | undefined): boolean {
  if (!next || next.agent !== row.agent || !row.at || !next.at) return false;
  return Date.parse(next.at) - Date.parse(row.at) < SITTING;
}
