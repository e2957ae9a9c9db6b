import { useTranslation } from "react-i18next";
import { Button } from "../../parts/Button";
import { Select, TextArea } from "../../parts/Field";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";
import { type DirectionField, useDirectionChoice } from "./directions";

const FIELDS: readonly DirectionField[] = [
  "title",
  "blurb",
  "cast",
  "conflict",
  "length",
  "audience",
  "platform",
];

/** Which direction a new book takes: one of those offered, a mixture, others, or none. */
export function DirectionsDecision({ run, question, questionId, isBusy, onAnswer }: Deciding<"directions">) {
  const { t } = useTranslation();
  const [{ chosen, mix, words, isMixing }, change] = useDirectionChoice(`${run}/${questionId ?? ""}`);
  const { directions } = question;
  const number = (field: DirectionField) => mix[field] ?? chosen;
  const take = () => {
    const others = Object.entries(mix).filter(([, from]) => from !== undefined && from !== chosen);
    onAnswer({ answer: "direct", direction: chosen, mix: Object.fromEntries(others), words: words.trim() });
  };
  return (
    <>
      <fieldset className={styles.choices}>
        <legend className="unseen">{t("runs.decide.directions.ask")}</legend>
        {directions.map((direction, index) => (
          <label key={direction.title} className={styles.choice}>
            <span>
              <input
                type="radio"
                name="direction"
                checked={chosen === index + 1}
                onChange={() => change({ chosen: index + 1 })}
              />{" "}
              <strong>{direction.title}</strong>
            </span>
            {FIELDS.filter((field) => field !== "title" && direction[field]).map((field) => (
              <small key={field}>
                {t(`runs.decide.directions.${field}`)} {direction[field]}
              </small>
            ))}
          </label>
        ))}
      </fieldset>
      <Button kind="plain" aria-expanded={isMixing} onClick={() => change({ isMixing: !isMixing })}>
        {t("runs.decide.directions.mix")}
      </Button>
      {isMixing && (
        <div className={styles.choices}>
          {FIELDS.map((field) => (
            <Select
              key={field}
              label={t(`runs.decide.directions.${field}`)}
              value={number(field)}
              onChange={(event) => change({ mix: { ...mix, [field]: Number(event.target.value) } })}
            >
              {directions.map((direction, index) => (
                <option key={direction.title} value={index + 1}>
                  {index + 1}. {(direction[field] || "–").slice(0, 40)}
                </option>
              ))}
            </Select>
          ))}
        </div>
      )}
      <TextArea
        label={t("runs.decide.directions.words")}
        rows={2}
        value={words}
        onChange={(event) => change({ words: event.target.value })}
      />
      <div className={styles.row}>
        <Button kind="main" disabled={isBusy} onClick={take}>
          {t("runs.decide.directions.take")}
        </Button>
        <Button disabled={isBusy} onClick={() => onAnswer({ answer: "reject", feedback: words.trim() })}>
          {t("runs.decide.directions.others")}
        </Button>
        <Button kind="plain" disabled={isBusy} onClick={() => onAnswer({ answer: "approve" })}>
          {t("runs.decide.directions.skip")}
        </Button>
      </div>
    </>
  );
}
