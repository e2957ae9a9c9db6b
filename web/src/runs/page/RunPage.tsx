import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Problem } from "../../api/problem";
import { useRun } from "../../api/queries";
import type { RunRow } from "../../api/schema";
import { Tag } from "../../parts/Card";
import { Page } from "../../parts/Page";
import { Asked, Empty } from "../../parts/states";
import { at } from "../../shell/places";
import DecisionCard from "../decide/DecisionCard";
import { useChosen, useOutcome } from "../follow";
import { useNames } from "../names";
import { FailureNote, RunActions, RunFigures } from "../RunHead";
import { Status } from "../Status";
import { type RunState, untouched } from "../state";
import { useWatched } from "../watch";
import { Breakpoints } from "./Breakpoints";
import { Chapters, Phases } from "./Chapters";
import { Checkpoints } from "./Checkpoints";
import { CostBars } from "./CostBars";
import { Lanes } from "./Lanes";
import { PlanSection } from "./PlanSection";
import { RawEvents } from "./RawEvents";
import { Reviews } from "./Reviews";
import styles from "./RunPage.module.css";
import { SavedVersions } from "./SavedVersions";

type Props = { project: string; run: string };

/** One run, as it goes or as it went. */
export function RunPage({ project, run }: Props) {
  const { t } = useTranslation();
  const { choose, showPage } = useChosen();
  useEffect(() => {
    choose(project, run);
    showPage(run);
    return () => {
      choose(project, undefined);
      showPage(undefined);
    };
  }, [project, run, choose, showPage]);
  const query = useRun(run);
  const isElsewhere = query.data !== undefined && query.data.project !== project;
  if (isElsewhere || (query.error instanceof Problem && query.error.status === 404)) {
    return (
      <Empty title={t("runs.page.not_found")}>
        <Link href={at.place(project, "runs")}>{t("runs.page.back")}</Link>
      </Empty>
    );
  }
  return <Asked query={query}>{(row) => <Found project={project} row={row} />}</Asked>;
}

function Found({ project, row }: { project: string; row: RunRow }) {
  const { t } = useTranslation();
  const { task } = useNames();
  const watched = useWatched();
  const isMine = watched.run === row.run;
  const state: RunState = isMine ? watched.state : untouched;
  const status = state.seq > 0 ? state.status : row.status;
  const outcome = useOutcome(row.run).data;
  return (
    <Page
      isWide
      title={task(row.requirement) || t("runs.untitled")}
      actions={<RunActions project={project} run={row.run} status={status} />}
    >
      <div className={styles.facts}>
        <Link href={at.place(project, "runs")}>← {t("runs.page.back")}</Link>
        <Status status={status} />
        <RunFigures row={row} state={state} />
        <Tag>{row.model}</Tag>
        {state.corrections.length > 0 && (
          <Tag>
            {t("runs.rounds")} {state.corrections.length}
          </Tag>
        )}
        {row.quality_score != null && <Tag>{t("runs.score_of", { score: row.quality_score })}</Tag>}
      </div>
      <FailureNote project={project} state={state} />
      {status === "waiting" && state.question && (
        <DecisionCard
          key={state.seq}
          project={project}
          run={row.run}
          question={state.question}
          questionId={state.questionId}
          isWide
        />
      )}
      <PlanSection state={state} outcome={outcome} />
      <Phases project={project} state={state} />
      <Chapters project={project} state={state} />
      <Lanes state={state} />
      <Reviews project={project} state={state} />
      <SavedVersions project={project} state={state} />
      <Checkpoints project={project} run={row.run} seq={state.seq} />
      {status !== "done" && <Breakpoints run={row.run} />}
      <CostBars state={state} />
      <RawEvents events={isMine ? watched.events : []} />
    </Page>
  );
}
