import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { DiagnosticReport, Issue, Severity } from "../api/schema";
import { addressOfAnchor } from "./anchors";
import styles from "./Findings.module.css";
import { useNames } from "./names";

type Props = {
  project: string;
  report: DiagnosticReport;
  /** Those that are chosen, and how to choose; without it nothing can be chosen. */
  choosing?: { chosen: ReadonlySet<string>; waived: ReadonlySet<string>; onChoose(issue: string): void };
  isWide?: boolean;
};

const weight: Record<Severity, number> = { critical: 0, high: 1, medium: 2, low: 3 };

/** What a review found, the gravest first: what it is, why, where it stands and what to do. */
export function Findings({ project, report, choosing, isWide }: Props) {
  const { t } = useTranslation();
  const issues = [...(report.issues ?? [])].sort(
    (a, b) => weight[a.severity ?? "low"] - weight[b.severity ?? "low"],
  );
  if (issues.length === 0) return <p className={styles.clean}>{t("runs.check.clean")}</p>;
  const told = new Map((report.correction_instructions ?? []).map((one) => [one.issue_id, one]));
  return (
    <ol className={isWide ? `${styles.findings} ${styles.wide}` : styles.findings}>
      {issues.map((issue) => (
        <li key={issue.id}>
          <Finding
            project={project}
            issue={issue}
            fix={told.get(issue.id)?.specific_instruction ?? ""}
            choosing={choosing}
          />
        </li>
      ))}
    </ol>
  );
}

type FindingProps = { project: string; issue: Issue; fix: string; choosing: Props["choosing"] };

function Finding({ project, issue, fix, choosing }: FindingProps) {
  const { t } = useTranslation();
  const { word } = useNames();
  const severity = issue.severity ?? "low";
  const id = issue.id ?? "";
  const isWaived = choosing?.waived.has(id) ?? false;
  return (
    <article className={styles.finding} data-severity={severity} data-waived={isWaived}>
      <h4>
        <span className={styles.severity}>{t(`common.severity.${severity}`)}</span>
        {issue.title}
      </h4>
      <div className={styles.body}>
        <div className={styles.words}>
          {issue.root_cause && <Said name={t("runs.check.cause")}>{issue.root_cause}</Said>}
          {issue.impact && <Said name={t("runs.check.impact")}>{issue.impact}</Said>}
          {fix && <Said name={t("runs.check.fix")}>{fix}</Said>}
        </div>
        <Quotes project={project} evidence={issue.evidence ?? []} />
      </div>
      <footer className={styles.foot}>
        {issue.category && <span>{word("category", issue.category)}</span>}
        {issue.code && <span>{issue.code}</span>}
        {isWaived && <span>{t("runs.decide.review.waived")}</span>}
        {choosing && !isWaived && (
          <label className={styles.choose}>
            <input type="checkbox" checked={choosing.chosen.has(id)} onChange={() => choosing.onChoose(id)} />
            {t("runs.decide.review.waive_pick")}
          </label>
        )}
      </footer>
    </article>
  );
}

function Said({ name, children }: { name: string; children: string }) {
  return (
    <p>
      <span className={styles.label}>{name}</span>
      {children}
    </p>
  );
}

const QUOTES = 3;

function Quotes({ project, evidence }: { project: string; evidence: NonNullable<Issue["evidence"]> }) {
  const { t } = useTranslation();
  const [isWhole, show] = useState(false);
  const quotes = [...new Map(evidence.map((one) => [one.quote, one])).values()].filter((one) => one.quote);
  const shown = isWhole ? quotes : quotes.slice(0, QUOTES);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.quotes} aria-label={t("runs.check.evidence")}>
      {shown.map(({ quote, anchor = "" }) => {
        const address = addressOfAnchor(project, anchor);
        return <li key={quote}>{address ? <Link href={address}>{quote}</Link> : <span>{quote}</span>}</li>;
      })}
      {shown.length < quotes.length && (
        <li>
          <button type="button" className={styles.more} onClick={() => show(true)}>
            {t("runs.check.more_evidence", { count: quotes.length - shown.length })}
          </button>
        </li>
      )}
    </ul>
  );
}
