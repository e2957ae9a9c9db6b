import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useProject } from "../../api/queries";
import type { Intent, Order } from "../../api/schema";
import { Button } from "../../parts/Button";
import { isComposing } from "../../parts/composing";
import { TextArea } from "../../parts/Field";
import { at } from "../../shell/places";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";

/** A production that waits for an answer, a confirmation, a choice or any words of the author. */
export function TurnDecision({ project, question, isBusy, isWide, onAnswer }: Deciding<"turn">) {
  const { t } = useTranslation();
  const [words, say] = useState("");
  const { turn = {} } = question;
  const { asks = "anything", text = "", fields = [], options = [] } = turn;
  const order = (order: Order) => onAnswer({ answer: "order", order });
  const send = () => {
    if (words.trim() && !isBusy) order({ do: "say", text: words.trim() });
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  const goOn = asks === "answer" ? "enough" : asks === "confirm" || asks === "agree" ? asks : undefined;
  return (
    <>
      <p className={styles.turn}>{text}</p>
      <Fields project={project} paths={fields} />
      {options.length > 0 && (
        <div className={styles.row}>
          {options.map((option) => (
            <Button
              key={option}
              disabled={isBusy}
              onClick={() => order(orderOf(option, t(`runs.decide.turn.intent.${option}`)))}
            >
              {t(`runs.decide.turn.intent.${option}`)}
            </Button>
          ))}
        </div>
      )}
      {goOn && (
        <div className={styles.choices}>
          <button
            type="button"
            className={styles.choice}
            disabled={isBusy}
            onClick={() => onAnswer({ answer: "approve" })}
          >
            {t(`runs.decide.turn.${goOn === "confirm" ? "confirm_go" : goOn}`)}
            <small>{t(`runs.decide.turn.${goOn}_about`)}</small>
          </button>
        </div>
      )}
      {isWide ? (
        <TextArea
          label={t(asks === "confirm" ? "runs.decide.turn.change" : "runs.decide.turn.words")}
          rows={2}
          value={words}
          onChange={(event) => say(event.target.value)}
          onKeyDown={press}
        />
      ) : (
        <p className={styles.about}>{t("runs.decide.turn.below")}</p>
      )}
      <div className={styles.row}>
        {isWide && (
          <Button kind="main" onClick={send} disabled={isBusy || words.trim() === ""}>
            {t("runs.decide.turn.send")}
          </Button>
        )}
        {asks === "confirm" && (
          <Button disabled={isBusy} onClick={() => order({ do: "make", fields })}>
            {t("runs.decide.turn.anew")}
          </Button>
        )}
        <Button kind="plain" disabled={isBusy} onClick={() => order({ do: "end" })}>
          {t("runs.decide.turn.end")}
        </Button>
      </div>
    </>
  );
}

/** Returns the order of a choice; a choice without an order of its own is sent in words. */
function orderOf(intent: Intent, words: string): Order {
  switch (intent) {
    case "advance_phase":
      return { do: "advance" };
    case "research":
      return { do: "research" };
    case "generate":
      return { do: "make" };
    case "update":
      return { do: "make_stale" };
    default:
      return { do: "say", text: words };
  }
}

function Fields({ project, paths }: { project: string; paths: readonly string[] }) {
  const { t } = useTranslation();
  const { data } = useProject(project);
  if (paths.length === 0) return null;
  const titles = new Map(data?.story.fields.map((field) => [field.path, field.title]));
  return (
    <ul className={styles.fields} aria-label={t("runs.decide.turn.fields")}>
      {paths.map((path) => (
        <li key={path}>
          <Link href={at.field(project, path)}>{titles.get(path) || path}</Link>
        </li>
      ))}
    </ul>
  );
}
