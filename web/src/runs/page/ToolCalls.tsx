import { Check, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { AgentResult } from "../../api/schema";
import styles from "./PlanSection.module.css";

type Calls = NonNullable<AgentResult["tool_calls"]>;

/** The tools that an agent called, each with what it was asked and what it answered. */
export function ToolCalls({ calls }: { calls: Calls }) {
  const { t } = useTranslation();
  if (calls.length === 0) return null;
  return (
    <div className={styles.part}>
      <h4>{t("runs.page.tool_calls")}</h4>
      {calls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a tool may be called twice with the same, and the order never changes
        <details key={index} className={styles.call}>
          <summary>
            {call.success ? <Check size={13} aria-hidden /> : <X size={13} aria-hidden />}
            <code>{call.tool_name}</code>
            <small>{call.success ? `${call.duration_ms ?? 0} ms` : t("runs.tool_failed")}</small>
          </summary>
          {call.parameters != null && <Json title={t("runs.page.tool_asked")} value={call.parameters} />}
          {call.error ? (
            <p>{call.error}</p>
          ) : (
            <Json title={t("runs.page.tool_answered")} value={call.result} />
          )}
        </details>
      ))}
    </div>
  );
}

/** More than so many characters of an answer are not shown. */
const MOST = 4_000;

function Json({ title, value }: { title: string; value: unknown }) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return (
    <>
      <h5>{title}</h5>
      <pre>{text.length > MOST ? `${text.slice(0, MOST)}…` : text}</pre>
    </>
  );
}
