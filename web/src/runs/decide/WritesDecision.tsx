import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Write } from "../../api/schema";
import { Button } from "../../parts/Button";
import { TextField } from "../../parts/Field";
import { useNames } from "../names";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";
import { answerOf, placesOf } from "./writes";

const WordDiff = lazy(() => import("./WordDiff"));

/** Whether texts may be changed: every place with what stands there now and what would, taken or refused by itself. */
export function WritesDecision({ question, isBusy, onAnswer }: Deciding<"writes">) {
  const { t } = useTranslation();
  const { writes } = question;
  const [refused, refuse] = useState<ReadonlySet<string>>(new Set());
  const [feedback, say] = useState("");
  const places = writes.flatMap(placesOf);
  const left = places.filter(({ id }) => !refused.has(id)).length;
  const turn = (ids: readonly string[], isRefused: boolean) => {
    const next = new Set(refused);
    for (const id of ids) {
      if (isRefused) next.add(id);
      else next.delete(id);
    }
    refuse(next);
  };
  return (
    <>
      <p className={styles.about}>{t("runs.decide.writes.about")}</p>
      {writes.map((write) => (
        <OneWrite key={write.task} write={write} refused={refused} isBusy={isBusy} onTurn={turn} />
      ))}
      {left === 0 && (
        <TextField
          label={t("runs.decide.writes.feedback")}
          value={feedback}
          onChange={(event) => say(event.target.value)}
        />
      )}
      <div className={styles.row}>
        <Button kind="main" onClick={() => onAnswer(answerOf(writes, refused, feedback))} disabled={isBusy}>
          {left === places.length && t("runs.decide.writes.accept_all")}
          {left === 0 && t("runs.decide.writes.reject_all")}
          {left > 0 &&
            left < places.length &&
            t("runs.decide.writes.send", { count: left, of: places.length })}
        </Button>
      </div>
    </>
  );
}

type OneProps = {
  write: Write;
  refused: ReadonlySet<string>;
  isBusy: boolean;
  onTurn(places: readonly string[], isRefused: boolean): void;
};

function OneWrite({ write, refused, isBusy, onTurn }: OneProps) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const { proposal } = write;
  const spans = proposal.spans ?? [];
  const ids = placesOf(write).map(({ id }) => id);
  const isNew = proposal.document == null || spans.length === 0;
  const isNone = ids.every((id) => refused.has(id));
  return (
    <fieldset className={styles.question} disabled={isBusy}>
      <legend>
        {agent(write.agent)} ·{" "}
        {isNew ? t("runs.decide.writes.new") : t("runs.decide.writes.places", { count: spans.length })}
      </legend>
      <div className={styles.titled}>
        <strong>{proposal.title || write.task}</strong>
        {ids.length > 1 && (
          <Button kind="plain" onClick={() => onTurn(ids, !isNone)}>
            {t(isNone ? "runs.decide.writes.take_each" : "runs.decide.writes.refuse_each")}
          </Button>
        )}
      </div>
      <div className={styles.spans}>
        {ids.map((id, index) => {
          const span = isNew ? undefined : spans[index];
          return (
            <label key={id} className={styles.place} data-refused={refused.has(id)}>
              <input
                type="checkbox"
                checked={!refused.has(id)}
                onChange={({ target }) => onTurn([id], !target.checked)}
              />
              <span className="unseen">
                {isNew
                  ? t("runs.decide.writes.accept")
                  : t("runs.decide.writes.take_place", { number: index + 1 })}
              </span>
              <span className={styles.span}>
                {span ? (
                  <Suspense fallback={<Plain before={span.before} after={span.after} />}>
                    <WordDiff before={span.before} after={span.after} />
                  </Suspense>
                ) : (
                  proposal.text
                )}
                {span?.why && <span className={styles.reason}>{span.why}</span>}
              </span>
            </label>
          );
        })}
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
