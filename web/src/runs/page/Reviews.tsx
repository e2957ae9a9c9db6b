import { useTranslation } from "react-i18next";
import { ChapterFindings, Lines, ReportScore } from "../Check";
import { Findings } from "../Findings";
import { useNames } from "../names";
import type { Correction, Review, RunState } from "../state";
import styles from "./Reviews.module.css";
import { Section } from "./Section";

/** What each review found, how the score went, and who was told what in between. */
export function Reviews({ project, state }: { project: string; state: RunState }) {
  const { t } = useTranslation();
  const chapters = state.chapters.filter((chapter) => (chapter.verdict?.findings?.length ?? 0) > 0);
  if (state.reviews.length === 0 && chapters.length === 0) return null;
  const rounds = [
    ...state.reviews.map((review) => ({ seq: review.seq, review, correction: undefined })),
    ...state.corrections.map((correction) => ({ seq: correction.seq, review: undefined, correction })),
  ].sort((a, b) => a.seq - b.seq);
  return (
    <Section title={t("runs.page.reviews")}>
      {state.reviews.length > 1 && <Curve reviews={state.reviews} />}
      {rounds.map(({ seq, review, correction }) => (
        <div key={seq}>
          {review && <OneReview project={project} review={review} isLast={review === state.reviews.at(-1)} />}
          {correction && <OneCorrection correction={correction} />}
        </div>
      ))}
      {chapters.map((chapter) => (
        <ChapterFindings key={chapter.chapter} project={project} chapter={chapter} />
      ))}
    </Section>
  );
}

function OneReview({ project, review, isLast }: { project: string; review: Review; isLast: boolean }) {
  const { t } = useTranslation();
  const { report } = review;
  return (
    <details className={styles.review} open={isLast || !report.passed}>
      <summary>
        <ReportScore report={report} />
        <strong>{t("runs.review_round", { round: review.iteration + 1 })}</strong>
      </summary>
      <div className={styles.body}>
        <Findings project={project} report={report} isWide />
        <Lines title={t("runs.check.suggestions")} lines={report.suggestions_for_improvement ?? []} />
        <Lines title={t("runs.check.reasons")} lines={report.reasoning_chain ?? []} />
      </div>
    </details>
  );
}

function OneCorrection({ correction }: { correction: Correction }) {
  const { t } = useTranslation();
  const { agent, word } = useNames();
  const agents = [...new Set(correction.instructions.map((one) => one.target_agent ?? ""))];
  return (
    <div className={styles.correction}>
      <h3>
        ↻ {t("runs.correction", { round: correction.iteration })}{" "}
        <small>{word("mode", correction.mode)}</small>
      </h3>
      <dl>
        {agents.map((name) => (
          <div key={name}>
            <dt>{t("runs.told", { agent: agent(name) })}</dt>
            {correction.instructions
              .filter((one) => (one.target_agent ?? "") === name)
              .map((one) => (
                <dd key={`${one.issue_id}/${one.specific_instruction}`}>{one.specific_instruction}</dd>
              ))}
          </div>
        ))}
      </dl>
    </div>
  );
}

const WIDTH = 320;
const HEIGHT = 72;
const EDGE = 16;

/** The score over the rounds. */
function Curve({ reviews }: { reviews: readonly Review[] }) {
  const { t } = useTranslation();
  const scores = reviews.map((review) => review.report.quality_score ?? 0);
  const points = scores.map((score, index) => ({
    x: EDGE + (index * (WIDTH - 2 * EDGE)) / (scores.length - 1),
    y: HEIGHT - EDGE - (score / 100) * (HEIGHT - 2 * EDGE),
    score,
    round: index + 1,
  }));
  const label = points
    .map(({ round, score }) => `${t("runs.review_round", { round })} ${t("runs.score_of", { score })}`)
    .join(", ");
  return (
    <svg className={styles.curve} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(" ")} />
      {points.map(({ x, y, score, round }) => (
        <g key={round}>
          <circle cx={x} cy={y} r={3.5} />
          <text x={x} y={y < HEIGHT / 2 ? y + 16 : y - 8}>
            {score}
          </text>
        </g>
      ))}
    </svg>
  );
}
