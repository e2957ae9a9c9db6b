import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { AuthorQuestion, Decision } from "../../api/schema";
import { Button } from "../../parts/Button";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";

/** The author's answer to one question: accept, reject, later, or the chosen candidate. */
type Said = { decision: Decision; choice?: string };

/** Questions about the chapters, each answered by itself. */
export function ChaptersDecision({ question, isBusy, onAnswer }: Deciding<"chapters">) {
  const { t } = useTranslation();
  const questions = question.questions ?? [];
  const [said, say] = useState<Readonly<Record<string, Said>>>({});
  const count = Object.keys(said).length;
  const send = () => {
    const answers = Object.fromEntries(Object.entries(said).map(([id, { decision }]) => [id, decision]));
    const choices = Object.fromEntries(
      Object.entries(said).flatMap(([id, { choice }]) => (choice === undefined ? [] : [[id, choice]])),
    );
    onAnswer({ answer: "decide", answers, choices });
  };
  return (
    <>
      <p className={styles.about}>{t("runs.decide.chapters.about")}</p>
      {questions.map((one) => (
        <OneQuestion
          key={one.id}
          question={one}
          said={said[one.id]}
          isBusy={isBusy}
          onSay={(answer) => say({ ...said, [one.id]: answer })}
        />
      ))}
      <div className={styles.row}>
        <Button kind="main" onClick={send} disabled={isBusy || count === 0}>
          {t("runs.decide.chapters.send", { count })}
        </Button>
        {questions.length > 1 && questions.every((one) => candidatesOf(one).length < 2) && (
          <Button onClick={() => onAnswer({ answer: "approve" })} disabled={isBusy}>
            {t("runs.decide.chapters.all")}
          </Button>
        )}
      </div>
    </>
  );
}

function candidatesOf(question: AuthorQuestion) {
  return question.about === "settlement" ? question.candidates : [];
}

type OneProps = {
  question: AuthorQuestion;
  said: Said | undefined;
  isBusy: boolean;
  onSay(said: Said): void;
};

function OneQuestion({ question, said, isBusy, onSay }: OneProps) {
  const { t } = useTranslation();
  const candidates = candidatesOf(question);
  const isWhich = candidates.length > 1;
  const options: { name: string; said: Said }[] = [
    ...(isWhich
      ? candidates.map(({ id, name }) => ({ name, said: { decision: "accept" as const, choice: id } }))
      : [{ name: t("runs.decide.chapters.accept"), said: { decision: "accept" as const } }]),
    {
      name: t(isWhich ? "runs.decide.chapters.none" : "runs.decide.chapters.reject"),
      said: { decision: "reject" },
    },
    { name: t("runs.decide.chapters.later"), said: { decision: "later" } },
  ];
  return (
    <fieldset className={styles.question} disabled={isBusy}>
      <legend>
        {question.chapter} · {question.title}
      </legend>
      <Words question={question} />
      <div className={styles.options}>
        {options.map(({ name, said: one }) => (
          <label key={`${one.decision}/${one.choice ?? ""}`}>
            <input
              type="radio"
              name={question.id}
              checked={said?.decision === one.decision && said.choice === one.choice}
              onChange={() => onSay(one)}
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Words({ question }: { question: AuthorQuestion }) {
  const { t } = useTranslation();
  if (question.about === "draft_kept") {
    return (
      <>
        <p>{t("runs.decide.chapters.draft_kept")}</p>
        <blockquote aria-label={t("runs.decide.chapters.draft")}>{question.text}</blockquote>
      </>
    );
  }
  if (question.about === "below_floor") {
    return (
      <>
        <p>{t("runs.decide.chapters.below_floor")}</p>
        <ul>
          {question.shortfalls.map(({ kind, title }) => (
            <li key={kind}>{title}</li>
          ))}
        </ul>
        <blockquote aria-label={t("runs.decide.chapters.draft")}>{question.text}</blockquote>
      </>
    );
  }
  if (question.about === "gate") {
    const { reason, left } = question;
    const what =
      reason.gate === "arc_ended" ? reason.arc : reason.gate === "chapters" ? reason.count : reason.title;
    return <p>{t(`runs.decide.chapters.gate_${reason.gate}`, { what, left })}</p>;
  }
  if (question.about === "later_plan") {
    return (
      <>
        <p>{t("runs.decide.chapters.later_plan", { name: question.name, reason: question.reason })}</p>
        {question.own && <p>{t(`runs.decide.chapters.later_plan_${question.own}`)}</p>}
        {question.field_name && <p>{question.field_name}</p>}
        <blockquote className={styles.lines}>
          <del>{question.before}</del>
        </blockquote>
        <blockquote className={styles.lines}>
          <ins>{question.after}</ins>
        </blockquote>
      </>
    );
  }
  if (question.about === "against_instruction") {
    const { issue, instruction, quote, why } = question;
    return (
      <>
        <p>{t("runs.decide.chapters.against_instruction", { issue, instruction })}</p>
        {quote && <blockquote>{quote}</blockquote>}
        <p>{why}</p>
      </>
    );
  }
  const { doubt, label, quote, says, candidates, piece } = question;
  const isEvent = doubt.doubt === "same" && piece === "event";
  const asked = isEvent ? "same_event" : doubt.doubt === "same" ? "same" : "which";
  return (
    <>
      <p>
        {doubt.doubt === "unsure"
          ? t("runs.decide.chapters.unsure", { label })
          : t(`runs.decide.chapters.${asked}`, { label, name: doubt.name })}
      </p>
      {quote && <blockquote>{quote}</blockquote>}
      {says && <p>{t("runs.decide.chapters.told_here", { says })}</p>}
      {doubt.doubt !== "unsure" && candidates.length > 0 && (
        <ul>
          {candidates.map(({ id, name, says: known, chapter, planned }) => (
            <li key={id}>
              {chapter
                ? t(`runs.decide.chapters.${planned ? "planned_chapter" : "known_chapter"}`, {
                    chapter,
                    name,
                  })
                : name}
              {known ? ` ${known}` : ""}
            </li>
          ))}
        </ul>
      )}
      {isEvent && <p>{t("runs.decide.chapters.same_event_how", { name: doubt.name })}</p>}
    </>
  );
}
