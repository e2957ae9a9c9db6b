import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useProject } from "../api/queries";
import { useNumbers } from "../parts/numbers";
import { at } from "../shell/places";
import styles from "./Feed.module.css";
import { useNames } from "./names";
import { Dot } from "./Status";
import type { ChapterProgress } from "./state";

const stages = ["planned", "written", "reviewed", "accepted", "settled"] as const;

/** How many of the five stages a chapter has behind it. */
export function stagesDone({ stage }: ChapterProgress): number {
  if (stage === "fixed") return stages.indexOf("reviewed") + 1;
  if (stage === "briefed") return 1;
  return stages.indexOf(stage as (typeof stages)[number]) + 1;
}

/** How far a chapter is, with a mark for every stage that is behind it. */
export function ChapterLine({ project, chapter }: { project: string; chapter: ChapterProgress }) {
  const { t } = useTranslation();
  const { word } = useNames();
  const { whole } = useNumbers();
  const { data } = useProject(project);
  const document = data?.story.documents.find((one) => one.order === chapter.chapter);
  const title = chapter.title || t("common.chapter", { number: chapter.chapter });
  const done = stagesDone(chapter);
  const findings = chapter.verdict?.findings?.length ?? 0;
  return (
    <section className={styles.work} data-status={chapter.to ? "done" : "running"}>
      <header>
        <Dot status={chapter.to ? "done" : "running"} />
        <strong>
          {document ? (
            <Link className={styles.title} href={at.chapter(project, document.id)}>
              {title}
            </Link>
          ) : (
            title
          )}
        </strong>
        <span className={styles.figures}>
          {chapter.words > 0 && (
            <span>
              {t("runs.words_of", { count: chapter.words, replace: { count: whole(chapter.words) } })}
            </span>
          )}
          {chapter.score !== undefined && <span>{t("runs.score_of", { score: chapter.score })}</span>}
        </span>
      </header>
      <div className={styles.stages} role="img" aria-label={word("stage", chapter.stage)}>
        {stages.map((stage, index) => (
          <span key={stage} data-done={index < done} data-now={index === done && !chapter.to}>
            {word("stage", stage)}
          </span>
        ))}
      </div>
      {chapter.scenes.length > 1 && (
        <p className={styles.task}>
          {t("runs.scenes")}: {chapter.scenes.join(" · ")}
        </p>
      )}
      {(chapter.fixed > 0 || findings > 0 || chapter.isForced) && (
        <p className={styles.task}>
          {[
            findings > 0 && t("runs.findings_of", { count: findings }),
            chapter.fixed > 0 && t("runs.fixed_of", { count: chapter.fixed }),
            chapter.isForced && t("runs.forced"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </p>
      )}
    </section>
  );
}
