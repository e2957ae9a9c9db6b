import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useRun } from "../api/queries";
import type { RunRow } from "../api/schema";
import type { ProjectView } from "../api/story";
import type { Chapter } from "../chapters/list";
import { useChapterState } from "../chapters/state";
import { useChapterEdits } from "../chapters/useChapterEdits";
import { Button } from "../parts/Button";
import { Row, Tag } from "../parts/Card";
import { Failed } from "../parts/states";
import { useStart } from "../shelf/actions";
import { at } from "../shell/places";
import { Around, type Neighbours } from "./Around";
import { Draft } from "./Draft";
import styles from "./Planned.module.css";

type Props = { view: ProjectView; chapter: Chapter; around: Neighbours };

/** A chapter that is only planned: what the outline says of it, and how it comes to be written. */
export function Planned({ view, chapter, around }: Props) {
  const { t } = useTranslation();
  const { project } = view.project;
  const { node, place, title, row } = chapter;
  const start = useStart(true);
  const edits = useChapterEdits(project);
  const isBusy = useChapterState((state) => state.isBusy);
  const { data: run } = useRun(start.data?.run);
  const isOver = run !== undefined && run.status !== "running" && run.status !== "waiting";
  const goal = node?.words ?? 0;
  const length = view.story.language === "en" ? "length_words" : "length";
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Around project={project} chapter={chapter} around={around} />
        <Tag>{t("write.planned.label")}</Tag>
      </header>
      <article className={styles.paper}>
        <h1>{title}</h1>
        {goal > 0 && <p className={styles.dim}>{t(`write.planned.${length}`, { count: goal })}</p>}
        <p className={styles.happens}>{node?.description || t("write.planned.empty")}</p>
        <Plan node={node} />
        <Row>
          {node && (
            <Button
              kind="main"
              disabled={start.isPending || (start.isSuccess && !isOver)}
              onClick={() =>
                start.mutate({ kind: "write", project, task: { kind: "draft", chapters: [node.id] } })
              }
            >
              {t("write.planned.begin")}
            </Button>
          )}
          {row && (
            <Button onClick={() => void edits.begin(row)} disabled={isBusy}>
              {t("write.planned.own")}
            </Button>
          )}
        </Row>
        <p role="status" className={styles.dim}>
          {start.isSuccess && t(`write.planned.${sayingOf(run)}`)}{" "}
          {run && run.status !== "running" && (
            <Link href={at.run(project, run.run)}>{t("write.planned.open_run")}</Link>
          )}
        </p>
        {start.error && <Failed error={start.error} />}
      </article>
      <Draft project={project} number={place} isOnly={start.isSuccess} />
    </div>
  );
}

/** The outline's plan for a chapter. */
export function Plan({ node }: { node: Chapter["node"] }) {
  const { t } = useTranslation();
  if (!node) return null;
  const lists = [
    [t("write.planned.goal"), node.goal],
    [t("write.planned.where"), node.location],
    [t("write.planned.who"), node.participants],
    [t("write.planned.plants"), node.plants],
    [t("write.planned.pays"), node.pays],
  ] as const;
  return (
    <dl className={styles.plan}>
      {lists.map(([name, told]) =>
        !told || told.length === 0 ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {typeof told === "string" ? (
                told
              ) : (
                <Row>
                  {told.map((word) => (
                    <Tag key={word}>{word}</Tag>
                  ))}
                </Row>
              )}
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** A run may end without prose: a model that only plans, a fault, a stop. */
function sayingOf(run: RunRow | undefined): "begun" | "waiting" | "ended" {
  if (!run || run.status === "running") return "begun";
  return run.status === "waiting" ? "waiting" : "ended";
}
