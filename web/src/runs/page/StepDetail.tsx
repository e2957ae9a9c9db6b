import { useTranslation } from "react-i18next";
import type { AgentResult, Outcome } from "../../api/schema";
import { useNumbers } from "../../parts/numbers";
import { SCHEDULER } from "../layout";
import { useNames } from "../names";
import { Reasoning } from "../Reasoning";
import type { Call, RunState, Work } from "../state";
import { WorkLine } from "../WorkLine";
import styles from "./PlanSection.module.css";
import { ToolCalls } from "./ToolCalls";

type Props = { step: string | undefined; state: RunState; outcome: Outcome | undefined };

/** What a step did: each time it was gone through, what it thought and looked up, what came of it. */
export function StepDetail({ step, state, outcome }: Props) {
  const { t } = useTranslation();
  const { agent } = useNames();
  if (step === SCHEDULER) return <Scheduler state={state} />;
  const planned = state.steps.find((one) => one.id === step);
  if (!planned) return <p className={styles.detail}>{t("runs.page.select")}</p>;
  const work = state.work.filter(
    (one) => one.step === step || (one.step === undefined && one.agent === planned.agent),
  );
  const calls = work.flatMap((one) => one.calls.flatMap((key) => state.calls.get(key) ?? []));
  const result = resultOf(outcome, planned.id);
  return (
    <div className={styles.detail}>
      <h3>{agent(planned.agent)}</h3>
      {work.length === 0 && <p>{planned.task}</p>}
      {work.map((one: Work) => (
        <div key={one.seq} className={styles.part}>
          {one.round > 0 && <h4>{t("runs.correction", { round: one.round })}</h4>}
          <WorkLine work={one} calls={state.calls} isWhole />
        </div>
      ))}
      {planned.agent === "review_agent" &&
        state.reviews.map((review) => (
          <Reasoning
            key={review.seq}
            of={t("runs.review_round", { round: review.iteration + 1 })}
            lines={review.report.reasoning_chain ?? []}
            isOpen={review === state.reviews.at(-1)}
          />
        ))}
      {planned.tools.length > 0 && (
        <div className={styles.part}>
          <h4>{t("runs.page.tools")}</h4>
          <p>{planned.tools.join(" · ")}</p>
        </div>
      )}
      {result && <Result result={result} />}
      <Calls calls={calls} />
    </div>
  );
}

function resultOf(outcome: Outcome | undefined, step: string): AgentResult | undefined {
  if (!outcome || outcome.made === "nothing" || !("task" in outcome.made)) return undefined;
  return outcome.made.task.results[step]?.result ?? undefined;
}

function Result({ result }: { result: AgentResult }) {
  const { t } = useTranslation();
  return (
    <>
      <Reasoning lines={result.reasoning ?? []} isOpen />
      <ToolCalls calls={result.tool_calls ?? []} />
      {result.output && (
        <div className={styles.part}>
          <h4>{t("runs.output")}</h4>
          <p className={styles.output}>{result.output}</p>
        </div>
      )}
    </>
  );
}

function Calls({ calls }: { calls: readonly Call[] }) {
  const { t } = useTranslation();
  const { short } = useNumbers();
  if (calls.length === 0) return null;
  return (
    <div className={styles.part}>
      <h4>{t("runs.page.used")}</h4>
      <ul className={styles.calls}>
        {calls.map((call) => (
          <li key={call.key}>
            <span>{t("runs.page.called", { purpose: call.purpose, model: call.model })}</span>
            <small>
              {t("runs.tokens_of", { count: call.tokens, replace: { count: short(call.tokens) } })}
            </small>
            <small>{call.millis} ms</small>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What was sent back in each round, and to whom. */
function Scheduler({ state }: { state: RunState }) {
  const { agent, word } = useNames();
  const { t } = useTranslation();
  return (
    <div className={styles.detail}>
      <h3>{agent(SCHEDULER)}</h3>
      {state.corrections.length === 0 && <p>{t("runs.work.open")}</p>}
      {state.corrections.map((correction) => (
        <div key={correction.seq} className={styles.part}>
          <h4>
            {t("runs.correction", { round: correction.iteration })} · {word("mode", correction.mode)}
          </h4>
          {correction.instructions.map((one) => (
            <p key={`${one.issue_id}/${one.specific_instruction}`}>
              <strong>{agent(one.target_agent ?? "")}</strong> {one.specific_instruction}
            </p>
          ))}
        </div>
      ))}
    </div>
  );
}
