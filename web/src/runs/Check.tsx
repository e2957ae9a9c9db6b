import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useProject } from "../api/queries";
import type { ChapterFinding, DiagnosticReport, Wish } from "../api/schema";
import { ButtonLink } from "../parts/Button";
import { Empty } from "../parts/states";
import { at } from "../shell/places";
import styles from "./Check.module.css";
import { Findings } from "./Findings";
import found from "./Findings.module.css";
import { Rests } from "./Rests";
import { scoreOf } from "./score";
import type { ChapterProgress, RunState } from "./state";

/** What the last review found, of the material or of the chapters. */
export function Check({ project, state }: { project: string; state: RunState }) {
  const { t } = useTranslation();
  const { data } = useProject(project);
  const own = state.reviews.at(-1)?.report;
  const report = own ?? (data?.report as DiagnosticReport | null | undefined);
  const changed = own ? 0 : (data?.changed_since_report ?? 0);
  const chapters = state.chapters.filter((chapter) => (chapter.verdict?.findings?.length ?? 0) > 0);
  if (chapters.length > 0) {
    return chapters.map((chapter) => (
      <ChapterFindings key={chapter.chapter} project={project} chapter={chapter} />
    ));
  }
  if (!report) {
    return (
      <Empty title={t("runs.check.empty")}>
        <p>{t("runs.check.empty_about")}</p>
        <ButtonLink href={at.place(project, "findings")}>{t("shell.nav.findings")}</ButtonLink>
      </Empty>
    );
  }
  const suggestions = report.suggestions_for_improvement ?? [];
  return (
    <div className={styles.check}>
      <ReportScore report={report} />
      {changed > 0 && <p className={styles.summary}>{t("runs.check.earlier", { count: changed })}</p>}
      <Rests basis={report.basis} />
      <Wishes wishes={report.wishes ?? []} />
      <Findings project={project} report={report} />
      {suggestions.length > 0 && <Lines title={t("runs.check.suggestions")} lines={suggestions} />}
      <Lines title={t("runs.check.reasons")} lines={report.reasoning_chain ?? []} />
      <Link href={at.place(project, "findings")}>{t("runs.check.all")}</Link>
    </div>
  );
}

/** The score as a ring, with what it says. */
export function ReportScore({ report }: { report: DiagnosticReport }) {
  const { t } = useTranslation();
  const score = scoreOf(report);
  if (score === undefined) return <p>{t("runs.check.nothing")}</p>;
  return (
    <div className={styles.score} data-passed={report.passed ?? false}>
      <span className={styles.ring} style={{ "--score": score } as React.CSSProperties}>
        {score}
      </span>
      <span>
        <strong>{t(report.passed ? "runs.passed" : "runs.not_passed")}</strong>
        <br />
        <small>{t("runs.findings_of", { count: report.issues?.length ?? 0 })}</small>
      </span>
    </div>
  );
}

/** What the person asked for, and whether it is met. */
export function Wishes({ wishes }: { wishes: readonly Wish[] }) {
  const { t } = useTranslation();
  if (wishes.length === 0) return <p className={styles.summary}>{t("runs.check.wishes.none")}</p>;
  return (
    <ul className={styles.wishes} aria-label={t("runs.check.wishes.title")}>
      {wishes.map((wish) => (
        <li key={wish.text} data-state={wish.state}>
          <strong>{t(`runs.check.wishes.${wish.state ?? "not_checkable"}`)}</strong> {wish.text}
          {wish.reason && <small> {wish.reason}</small>}
          {wish.kind === "length" && <small> {wish.evidence?.[0]?.quote}</small>}
        </li>
      ))}
    </ul>
  );
}

/** Lines that are shown on demand. */
export function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <details className={styles.lines}>
      <summary>{title}</summary>
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  );
}

export function ChapterFindings({ project, chapter }: { project: string; chapter: ChapterProgress }) {
  const { t } = useTranslation();
  const { data } = useProject(project);
  const document = data?.story.documents.find((one) => one.order === chapter.chapter);
  const title = chapter.title || t("common.chapter", { number: chapter.chapter });
  return (
    <section className={styles.check}>
      <h4 className={styles.chapter}>
        {document ? <Link href={at.chapter(project, document.id)}>{title}</Link> : title}
      </h4>
      {chapter.verdict?.summary && <p className={styles.summary}>{chapter.verdict.summary}</p>}
      <ol className={found.findings}>
        {(chapter.verdict?.findings ?? []).map((finding) => (
          <li key={finding.id}>
            <ChapterFindingCard finding={finding} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function ChapterFindingCard({ finding }: { finding: ChapterFinding }) {
  const { t } = useTranslation();
  const severity = finding.severity ?? "low";
  return (
    <article className={found.finding} data-severity={severity}>
      <h4>
        <span className={found.severity}>{t(`common.severity.${severity}`)}</span>
        {finding.title}
      </h4>
      <div className={found.words}>
        {finding.why && <p>{finding.why}</p>}
        {finding.held?.reason === "disputed" && (
          <p>{t("story.findings.disputed", { why: finding.held.why })}</p>
        )}
        {finding.fix && (
          <p>
            <span className={found.label}>{t("runs.check.fix")}</span>
            {finding.fix}
          </p>
        )}
      </div>
      <ul className={found.quotes}>
        {finding.quote && <li>{finding.quote}</li>}
        {(finding.against ?? []).map((against) => (
          <li key={against}>
            <span className={found.label}>{t("runs.check.against")}</span>
            {against}
          </li>
        ))}
      </ul>
    </article>
  );
}
