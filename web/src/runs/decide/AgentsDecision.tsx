import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../parts/Button";
import { useNames } from "../names";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";

/** Parts of a task that fit several agents or none: the author chooses an agent for each, or leaves the parts out. */
export function AgentsDecision({ question, isBusy, onAnswer }: Deciding<"agents">) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const { undecided } = question;
  const [choices, choose] = useState<Readonly<Record<string, string>>>({});
  const isDecided = undecided.every(({ task }) => choices[task] !== undefined);
  return (
    <>
      <p className={styles.about}>{t("runs.decide.agents.about")}</p>
      {undecided.map(({ task, description, agents }) => (
        <fieldset key={task} className={styles.question} disabled={isBusy}>
          <legend>{description}</legend>
          <div className={styles.options}>
            {agents.map(({ name, does }) => (
              <label key={name} title={does}>
                <input
                  type="radio"
                  name={task}
                  checked={choices[task] === name}
                  onChange={() => choose({ ...choices, [task]: name })}
                />
                {agent(name)}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <div className={styles.row}>
        <Button
          kind="main"
          onClick={() => onAnswer({ answer: "decide", answers: {}, choices })}
          disabled={isBusy || !isDecided}
        >
          {t("runs.decide.agents.send")}
        </Button>
        <Button kind="plain" onClick={() => onAnswer({ answer: "reject", feedback: "" })} disabled={isBusy}>
          {t("runs.decide.agents.leave")}
        </Button>
      </div>
    </>
  );
}
