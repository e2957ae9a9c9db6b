import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Outcome } from "../../api/schema";
import { Button } from "../../parts/Button";
import { Select, TextArea } from "../../parts/Field";
import { Asked } from "../../parts/states";
import { useOutcome } from "../follow";
import { useNames } from "../names";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";
import { changedMaterial, editable, type Part, readJson } from "./material";

type Props = Pick<Deciding<"human_review">, "run" | "isBusy" | "onAnswer">;

/** The material as JSON, part by part, checked before it is sent. */
export function EditMaterial({ run, ...rest }: Props) {
  return (
    <Asked query={useOutcome(run)}>{(outcome) => <Editor before={materialOf(outcome)} {...rest} />}</Asked>
  );
}

function materialOf({ made }: Outcome): Record<string, unknown> {
  return made !== "nothing" && "story" in made ? { ...made.story.story } : {};
}

function Editor({ before, isBusy, onAnswer }: { before: Record<string, unknown> } & Omit<Props, "run">) {
  const { t } = useTranslation();
  const { word } = useNames();
  const [part, choose] = useState<Part>("outline_nodes");
  const [typed, type] = useState<Partial<Record<Part, string>>>({});
  const text = typed[part] ?? JSON.stringify(before[part] ?? null, null, 2);
  const { failure } = readJson(text);
  const material = changedMaterial(before, typed);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (material) onAnswer({ answer: "edit", material });
      }}
    >
      <Select
        label={t("runs.decide.review.part")}
        value={part}
        onChange={(event) => {
          const chosen = editable.find((one) => one === event.target.value);
          if (chosen) choose(chosen);
        }}
      >
        {editable.map((one) => (
          <option key={one} value={one}>
            {word("pieces", one)}
          </option>
        ))}
      </Select>
      <div className={styles.json}>
        <TextArea
          label={t("runs.decide.review.json")}
          rows={12}
          spellCheck={false}
          aria-invalid={failure !== undefined}
          value={text}
          onChange={(event) => type({ ...typed, [part]: event.target.value })}
        />
      </div>
      {failure !== undefined && (
        <p className={styles.bad} role="alert">
          {t("runs.decide.review.bad_json", { message: failure })}
        </p>
      )}
      <div className={styles.row}>
        <Button kind="main" type="submit" disabled={isBusy || !material}>
          {t("runs.decide.review.use")}
        </Button>
        {!material && failure === undefined && (
          <span className={styles.about}>{t("runs.decide.review.unchanged")}</span>
        )}
      </div>
    </form>
  );
}
