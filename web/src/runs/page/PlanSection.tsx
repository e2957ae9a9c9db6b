import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Outcome } from "../../api/schema";
import { Lines } from "../Check";
import { graphOf } from "../layout";
import { useNames } from "../names";
import { Dot } from "../Status";
import type { RunState } from "../state";
import { PlanGraph } from "./PlanGraph";
import styles from "./PlanSection.module.css";
import { Section } from "./Section";
import { StepDetail } from "./StepDetail";

/** The plan as a graph and as a list, and what the chosen step did. */
export function PlanSection({ state, outcome }: { state: RunState; outcome: Outcome | undefined }) {
  const { t } = useTranslation();
  const [picked, pick] = useState<string>();
  if (state.steps.length === 0) return null;
  const graph = graphOf(state);
  const working = graph.nodes.find((node) => node.status === "running") ?? graph.nodes[0];
  const chosen = picked ?? working?.id;
  return (
    <Section title={t("runs.plan")}>
      <div className={styles.split}>
        <div className={styles.left}>
          <PlanGraph graph={graph} chosen={chosen} onPick={pick} />
          <PlanList state={state} chosen={chosen} onPick={pick} />
          <Lines title={t("runs.plan_why")} lines={state.planReasons} />
        </div>
        <StepDetail step={chosen} state={state} outcome={outcome} />
      </div>
    </Section>
  );
}

type ListProps = { state: RunState; chosen: string | undefined; onPick(step: string): void };

function PlanList({ state, chosen, onPick }: ListProps) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const last = new Map(state.work.map((work) => [work.step, work.status]));
  const names = new Map(state.steps.map((step) => [step.id, agent(step.agent)]));
  return (
    <details className={styles.list}>
      <summary>{t("runs.page.as_list")}</summary>
      <ol>
        {state.steps.map((step) => (
          <li key={step.id}>
            <button type="button" aria-pressed={chosen === step.id} onClick={() => onPick(step.id)}>
              <Dot status={last.get(step.id) ?? "open"} />
              <strong>{agent(step.agent)}</strong>
              <span>{step.task}</span>
              <small>
                {step.needs.length === 0
                  ? t("runs.first")
                  : t("runs.needs", { steps: step.needs.map((id) => names.get(id) ?? id).join(" · ") })}
              </small>
            </button>
          </li>
        ))}
      </ol>
    </details>
  );
}
