import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Outcome } from "../../api/schema";
import { type Story, wholeStory } from "../../api/story";
import { Button } from "../../parts/Button";
import { Select, TextArea } from "../../parts/Field";
import { Asked } from "../../parts/states";
import { bookOf } from "../../story/book";
import { useOutcome } from "../follow";
import { useNames } from "../names";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";
import { MaterialForm } from "./MaterialForm";
import { changedMaterial, editable, type Part, partOf, readJson, written } from "./material";

type Props = Pick<Deciding<"human_review">, "run" | "isBusy" | "onAnswer">;

/** The material, part by part: as forms, or as the JSON that it is; checked before it is sent. */
export function EditMaterial({ run, ...rest }: Props) {
  return <Asked query={useOutcome(run)}>{(outcome) => <Editor story={storyOf(outcome)} {...rest} />}</Asked>;
}

function storyOf({ made }: Outcome): Story | undefined {
  return made !== "nothing" && "story" in made ? wholeStory(made.story.story) : undefined;
}

type EditorProps = { story: Story | undefined } & Omit<Props, "run">;

function Editor({ story, isBusy, onAnswer }: EditorProps) {
  const { t } = useTranslation();
  const { word } = useNames();
  const before = useMemo((): Record<string, unknown> => ({ ...story }), [story]);
  const book = useMemo(() => story && bookOf(story), [story]);
  const [part, choose] = useState<Part>("outline_nodes");
  const [isRaw, show] = useState(false);
  const [typed, type] = useState<Partial<Record<Part, string>>>({});
  const text = typed[part] ?? written(before[part] ?? null);
  const read = readJson(text);
  const material = changedMaterial(before, typed);
  const isForm = !isRaw && book !== undefined && partOf[part] !== undefined && read.failure === undefined;
  return (
    <form
      className={styles.form}
      // A line that is ended is not the whole answer yet.
      onKeyDown={(event) => {
        if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        if (material) onAnswer({ answer: "edit", material });
      }}
    >
      <div className={styles.parts}>
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
              {typed[one] === undefined ? "" : " *"}
            </option>
          ))}
        </Select>
        {partOf[part] !== undefined && (
          <Button aria-pressed={isRaw} onClick={() => show(!isRaw)}>
            {t("runs.decide.review.as_json")}
          </Button>
        )}
      </div>
      {isForm && book ? (
        <MaterialForm
          key={part}
          book={book}
          part={part}
          value={read.value}
          onChange={(value) => type({ ...typed, [part]: written(value) })}
        />
      ) : (
        <div className={styles.json}>
          <TextArea
            label={t("runs.decide.review.json")}
            rows={12}
            spellCheck={false}
            aria-invalid={read.failure !== undefined}
            value={text}
            onChange={(event) => type({ ...typed, [part]: event.target.value })}
          />
        </div>
      )}
      {read.failure !== undefined && (
        <p className={styles.bad} role="alert">
          {t("runs.decide.review.bad_json")}
        </p>
      )}
      <div className={styles.row}>
        <Button kind="main" type="submit" disabled={isBusy || !material}>
          {t("runs.decide.review.use")}
        </Button>
        {!material && read.failure === undefined && (
          <span className={styles.about}>{t("runs.decide.review.unchanged")}</span>
        )}
      </div>
    </form>
  );
}
