import type { Basis, DiagnosticReport } from "../api/schema";

/** Whether anything was checked; as in `Basis::has_checked` of the story crate. */
function hasChecked(basis: Basis | undefined): boolean {
  if (!basis || (basis.pieces ?? 0) === 0) return false;
  const blind = (basis.rules?.blind ?? []).reduce((sum, rules) => sum + rules.codes.length, 0);
  return basis.judge === "model" || (basis.rules?.run ?? 0) > blind;
}

/** The score of a report, if it rests on anything. */
export function scoreOf(report: DiagnosticReport): number | undefined {
  return hasChecked(report.basis) ? (report.quality_score ?? undefined) : undefined;
}
