import { useTranslation } from "react-i18next";
import { Button } from "../../parts/Button";
import { useNames } from "../names";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";

/** A run that stopped at a breakpoint: the nodes before and after it, the next nodes, and a button to continue. */
export function BreakpointDecision({ question, isBusy, onAnswer }: Deciding<"breakpoint">) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const lines = [
    ["runs.decide.breakpoint.after", question.after],
    ["runs.decide.breakpoint.before", question.before],
    ["runs.decide.breakpoint.next", question.next],
  ] as const;
  return (
    <>
      {lines.map(([key, nodes]) =>
        nodes && nodes.length > 0 ? (
          <p key={key} className={styles.about}>
            {t(key, { nodes: nodes.map(agent).join(" · ") })}
          </p>
        ) : null,
      )}
      <div className={styles.row}>
        <Button kind="main" onClick={() => onAnswer({ answer: "approve" })} disabled={isBusy}>
          {t("runs.decide.breakpoint.go_on")}
        </Button>
      </div>
    </>
  );
}
