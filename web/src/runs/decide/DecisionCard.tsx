import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RunAnswer as HumanAnswer, RunQuestion as Question } from "../../api/schema";
import { Button } from "../../parts/Button";
import { Failed } from "../../parts/states";
import { useResume } from "../follow";
import { AgentsDecision } from "./AgentsDecision";
import { Approver } from "./Approver";
import { BreakpointDecision } from "./BreakpointDecision";
import { ChaptersDecision } from "./ChaptersDecision";
import styles from "./DecisionCard.module.css";
import { DirectionsDecision } from "./DirectionsDecision";
import { ReviewDecision } from "./ReviewDecision";
import { TurnDecision } from "./TurnDecision";
import { WritesDecision } from "./WritesDecision";

type Props = {
  project: string;
  run: string;
  question: Question;
  /** The id sent with the answer, so that no later question is answered by mistake. */
  questionId: string | undefined;
  isWide?: boolean;
};

/** The properties that every kind of question gets. */
export type Deciding<Asked extends Question["asks"]> = {
  project: string;
  run: string;
  question: Extract<Question, { asks: Asked }>;
  questionId: string | undefined;
  isBusy: boolean;
  isWide: boolean;
  onAnswer(answer: HumanAnswer): void;
};

/** The question of a waiting run, its reason and the effect of each answer. It takes no focus. */
export default function DecisionCard({ project, run, question, questionId, isWide = false }: Props) {
  const { t } = useTranslation();
  const title = useId();
  const [isOpen, open] = useState(true);
  const { resume, isPending, isSuccess, error } = useResume(project, run);
  const onAnswer = (answer: HumanAnswer) =>
    resume({ answer, ...(questionId ? { question: questionId } : {}) });
  const given = { project, run, questionId, isWide, isBusy: isPending || isSuccess, onAnswer };
  return (
    <section className={isWide ? `${styles.card} ${styles.wide}` : styles.card} aria-labelledby={title}>
      <header className={styles.head}>
        <h3 id={title}>{t(titleOf(question))}</h3>
        {!isWide && (
          <Button kind="plain" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
            {t(isOpen ? "runs.decide.hide" : "runs.decide.show")}
          </Button>
        )}
      </header>
      {(isOpen || isWide) && (
        <div className={styles.body}>
          <Approver project={project} run={run} />
          <Asked question={question} given={given} />
          {error && <Failed error={error} />}
          {isSuccess && <p role="status">{t("runs.decide.answered")}</p>}
        </div>
      )}
    </section>
  );
}

function Asked({ question, given }: { question: Question; given: Omit<Deciding<never>, "question"> }) {
  switch (question.asks) {
    case "directions":
      return <DirectionsDecision {...given} question={question} />;
    case "human_review":
      return <ReviewDecision {...given} question={question} />;
    case "chapters":
      return <ChaptersDecision {...given} question={question} />;
    case "writes":
      return <WritesDecision {...given} question={question} />;
    case "agents":
      return <AgentsDecision {...given} question={question} />;
    case "breakpoint":
      return <BreakpointDecision {...given} question={question} />;
    case "turn":
      return <TurnDecision {...given} question={question} />;
  }
}

function titleOf(question: Question) {
  switch (question.asks) {
    case "directions":
      return "runs.decide.directions.ask";
    case "human_review":
      return "runs.decide.review.title";
    case "chapters":
      return "runs.decide.chapters.title";
    case "writes":
      return "runs.decide.writes.title";
    case "agents":
      return "runs.decide.agents.title";
    case "breakpoint":
      return "runs.decide.breakpoint.title";
    case "turn":
      return `runs.decide.turn.${question.turn?.asks ?? "anything"}` as const;
  }
}
