import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Write } from "../../api/schema";
import { Button } from "../../parts/Button";
import { TextField } from "../../parts/Field";
import { useNames } from "../names";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";

const WordDiff = lazy(() => import("./WordDiff"));

/** Whether texts may be changed: every change with what stands there now and what would, taken or refused by itself. */
export function WritesDecision({ question, isBusy, onAnswer }: Deciding<"writes">) {
  const { t } = useTranslation();
  const { writes } = question;
  const [refused, refuse] = useState<ReadonlySet<string>>(new Set());
  const [feedback, say] = useState("");
  const isNone = refused.size === writes.length;
  const turn = (task: string, isRefused: boolean) => {
    const next = new Set(refused);
    if (isRefused) next.add(task);
    else next.delete(task);
    refuse(next);
  };
  const send = () => {
    if (refused.size === 0) return onAnswer({ answer: "approve" });
    if (isNone) return onAnswer({ answer: "reject", feedback: feedback.trim() });
    const answers = Object.fromEntries(
      writes.map(({ task }) => [task, refused.has(task) ? ("reject" as const) : ("accept" as const)]),
    );
    onAnswer({ answer: "decide", answers });
  };
  return (
    <>
      <p className={styles.about}>{t("runs.decide.writes.about")}</p>
      {writes.map((write) => (
        <OneWrite
          key={write.task}
          write={write}
          isRefused={refused.has(write.task)}
          isBusy={isBusy}
          onTurn={(isRefused) => turn(write.task, isRefused)}
        />
      ))}
      {isNone && (
        <TextField
          label={t("runs.decide.writes.feedback")}
          value={feedback}
          onChange={(event) => say(event.target.value)}
        />
      )}
      <div className={styles.row}>
        <Button kind="main" onClick={send} disabled={isBusy}>
          {t(refused.size === 0 ? "runs.decide.writes.accept_all" : "runs.decide.writes.send")}
        </Button>
      </div>
    </>
  );
}

type OneProps = { write: Write; isRefused: boolean; isBusy: boolean; onTurn(isRefused: boolean): void };

function OneWrite({ write, isRefused, isBusy, onTurn }: OneProps) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const { proposal } = write;
  const spans = proposal.spans ?? [];
  const isNew = proposal.document == null;
  return (
    <fieldset className={styles.question} disabled={isBusy}>
      <legend>
        {agent(write.agent)} ·{" "}
        {isNew ? t("runs.decide.writes.new") : t("runs.decide.writes.places", { count: spans.length })}
      </legend>
      <strong>{proposal.title || write.task}</strong>
      <div className={styles.spans}>
        {isNew && <blockquote>{proposal.text}</blockquote>}
        {!isNew &&
          spans.map((span) => (
            <div key={span.start} className={styles.span}>
              <Suspense fallback={<Plain before={span.before} after={span.after} />}>
                <WordDiff before={span.before} after={span.after} />
              </Suspense>
              {span.why && <p className={styles.about}>{span.why}</p>}
            </div>
          ))}
      </div>
      <div className={styles.options}>
        {[false, true].map((refusing) => (
          <label key={String(refusing)}>
            <input
              type="radio"
              name={write.task}
              checked={isRefused === refusing}
              onChange={() => onTurn(refusing)}
            />
            {t(refusing ? "runs.decide.writes.reject" : "runs.decide.writes.accept")}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Plain({ before, after }: { before: string; after: string }) {
  return (
    <>
      <del>{before}</del>
      <ins>{after}</ins>
    </>
  );
}
