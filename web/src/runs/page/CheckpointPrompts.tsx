import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../../api/client";
import { keys } from "../../api/queries";
import type { RecordedPrompt } from "../../api/schema";
import { Asked } from "../../parts/states";
import { useNames } from "../names";
import styles from "./SavedVersions.module.css";

/** Roles of messages that have a word of their own. */
const ROLES = ["system", "user", "assistant", "tool"] as const;

/** What the nodes of a step were told to correct and what they asked models, with the answers. */
export function CheckpointPrompts({
  run,
  parent,
  nodes,
}: {
  run: string;
  /** The checkpoint before the step. */
  parent: number;
  nodes: readonly string[];
}) {
  return (
    <div className={styles.comparison}>
      {nodes.map((node) => (
        <OfNode key={node} run={run} parent={parent} node={node} />
      ))}
    </div>
  );
}

function OfNode({ run, parent, node }: { run: string; parent: number; node: string }) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const query = useQuery({
    queryKey: [...keys.runs, "prompts", run, parent, node],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      answer(
        http.GET("/api/v1/runs/{run}/prompts/{node}", {
          params: { path: { run, node }, query: { checkpoint: parent } },
        }),
      ),
  });
  return (
    <Asked query={query}>
      {({ correction, prompts }) => (
        <section className={styles.text}>
          <h4>{agent(node)}</h4>
          {correction && (
            <>
              <small>{t("runs.page.travel_correction")}</small>
              <p>{correction}</p>
            </>
          )}
          {prompts.map((prompt, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a node may ask the same twice
            <Prompt key={place} prompt={prompt} />
          ))}
          {!correction && prompts.length === 0 && <small>{t("runs.page.travel_no_prompts")}</small>}
        </section>
      )}
    </Asked>
  );
}

function Prompt({ prompt }: { prompt: RecordedPrompt }) {
  const { t } = useTranslation();
  const roleOf = (role: string) => {
    const known = ROLES.find((name) => name === role);
    return known ? t(`runs.page.travel_role.${known}`) : role;
  };
  return (
    <details>
      <summary>{prompt.purpose}</summary>
      {prompt.messages.map(({ role, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages have no names
        <div key={place} className={styles.text}>
          <small>{roleOf(role)}</small>
          <p>{text}</p>
        </div>
      ))}
      <div className={styles.text}>
        <small>{t("runs.page.travel_answer")}</small>
        <p>{prompt.answer}</p>
      </div>
    </details>
  );
}
