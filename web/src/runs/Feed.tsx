import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Empty, useProblemText } from "../parts/states";
import { ChapterLine } from "./ChapterLine";
import styles from "./Feed.module.css";
import { problemOf } from "./failure";
import { type FeedItem, feedItems } from "./feed";
import { useNames } from "./names";
import { PhaseLine } from "./PhaseLine";
import { Dot } from "./Status";
import { scoreOf } from "./score";
import type { Correction, Review, RunState } from "./state";
import { WorkLine } from "./WorkLine";

const SHOWN = 120;

/** What a run did, line by line; the newest are shown, earlier ones on demand. */
export function Feed({ project, state }: { project: string; state: RunState }) {
  const { t } = useTranslation();
  const [shown, show] = useState(SHOWN);
  const items = feedItems(state);
  if (items.length === 0) return <Empty title={t("runs.list.empty")} />;
  const hidden = Math.max(0, items.length - shown);
  return (
    <>
      {hidden > 0 && (
        <Button kind="plain" onClick={() => show(shown + SHOWN)}>
          {t("runs.earlier", { count: hidden })}
        </Button>
      )}
      <ol className={styles.feed}>
        {items.slice(hidden).map((item) => (
          <li key={item.seq} className={styles.item}>
            <Line project={project} item={item} state={state} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Line({ project, item, state }: { project: string; item: FeedItem; state: RunState }) {
  const { t } = useTranslation();
  switch (item.kind) {
    case "begin":
      return (
        <p className={styles.quiet}>
          {item.answeredBy && `${t("runs.answered_by", { name: item.answeredBy })} · `}
          {t(item.isResumed ? "runs.went_on" : "runs.began")} · {item.model}
        </p>
      );
    case "plan":
      return <PlanLine state={state} />;
    case "adjusted":
      return (
        <p className={styles.quiet}>
          {t("runs.plan_adjusted")}: {item.reason}
        </p>
      );
    case "work":
      return <WorkLine work={item.work} calls={state.calls} />;
    case "chapter":
      return <ChapterLine project={project} chapter={item.chapter} />;
    case "phase":
      return <PhaseLine project={project} phase={item.phase} isLast={item.phase === state.phases.at(-1)} />;
    case "review":
      return <ReviewLine review={item.review} />;
    case "correction":
      return <CorrectionLine correction={item.correction} />;
    case "warning":
      return <p className={styles.warning}>{item.message}</p>;
    case "end":
      return <EndLine state={state} item={item} />;
  }
}

function PlanLine({ state }: { state: RunState }) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const last = new Map(state.work.map((work) => [work.step, work.status]));
  return (
    <section className={styles.card}>
      <h4>
        {t("runs.plan")} <small>{t("runs.plan_steps", { count: state.steps.length })}</small>
      </h4>
      <ol className={styles.plan}>
        {state.steps.map((step) => (
          <li key={step.id}>
            <Dot status={last.get(step.id) ?? "open"} />
            <strong>{agent(step.agent)}</strong>
            <span>{step.task}</span>
          </li>
        ))}
      </ol>
      {state.planReasons.length > 0 && (
        <details className={styles.details}>
          <summary>{t("runs.plan_why")}</summary>
          {state.planReasons.map((reason) => (
            <p key={reason}>{reason}</p>
          ))}
        </details>
      )}
    </section>
  );
}

function ReviewLine({ review }: { review: Review }) {
  const { t } = useTranslation();
  const { report } = review;
  const tone = report.passed ? styles.passed : styles.failing;
  return (
    <section className={styles.card}>
      <h4 className={styles.scored}>
        <span className={`${styles.score} ${tone}`}>{scoreOf(report) ?? "–"}</span>
        {t("runs.review_round", { round: review.iteration + 1 })}
        <small>
          {t(report.passed ? "runs.passed" : "runs.not_passed")}
          {(report.issues?.length ?? 0) > 0 &&
            ` · ${t("runs.findings_of", { count: report.issues?.length ?? 0 })}`}
        </small>
      </h4>
    </section>
  );
}

function CorrectionLine({ correction }: { correction: Correction }) {
  const { t } = useTranslation();
  const { agent, word } = useNames();
  return (
    <section className={styles.card}>
      <h4>
        {t("runs.correction", { round: correction.iteration })} <small>{word("mode", correction.mode)}</small>
      </h4>
      <ul className={styles.told}>
        {correction.instructions.map((one) => (
          <li key={`${one.issue_id}/${one.specific_instruction}`}>
            <strong>{agent(one.target_agent ?? "")}</strong> {one.specific_instruction}
          </li>
        ))}
      </ul>
    </section>
  );
}

function EndLine({ state, item }: { state: RunState; item: Extract<FeedItem, { kind: "end" }> }) {
  const { t } = useTranslation();
  const { word } = useNames();
  const say = useProblemText();
  const { event } = item;
  const status = event.kind === "completed" ? event.summary.status : event.kind;
  const pieces = event.kind === "completed" ? Object.entries(event.summary.pieces) : [];
  const made = pieces
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${word("pieces", name)} ${count}`);
  return (
    <p className={event.kind === "failed" ? styles.broken : styles.quiet}>
      {t("runs.ended", { status: t(`runs.status.${status}`) })}
      {event.kind === "failed" && `: ${say(problemOf(event.failure))}`}
      {event.kind === "completed" &&
        state.chapters.length === 0 &&
        made.length > 0 &&
        ` · ${made.join(" · ")}`}
    </p>
  );
}
