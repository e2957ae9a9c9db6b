import { useTranslation } from "react-i18next";
import { useNumbers } from "../../parts/numbers";
import { useNames } from "../names";
import type { RunState } from "../state";
import styles from "./CostBars.module.css";
import { Section } from "./Section";

/** Which agent used how many tokens, and asked how often. */
export function CostBars({ state }: { state: RunState }) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const { whole } = useNumbers();
  const calls = new Map<string, number>();
  for (const call of state.calls.values()) calls.set(call.agent, (calls.get(call.agent) ?? 0) + 1);
  if (calls.size === 0) return null;
  const rows = [...calls].map(([name, count]) => ({ name, count, tokens: state.tally.byAgent[name] ?? 0 }));
  rows.sort((a, b) => b.tokens - a.tokens || b.count - a.count);
  const isFree = state.tally.total === 0;
  const weight = (row: (typeof rows)[number]) => (isFree ? row.count : row.tokens);
  const most = Math.max(1, ...rows.map(weight));
  return (
    <Section title={t("runs.page.cost")}>
      <table className={styles.bars}>
        <thead className="unseen">
          <tr>
            <th>{t("runs.page.agent")}</th>
            <th>{t("runs.tokens")}</th>
            <th>{t("runs.calls")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{agent(row.name)}</th>
              <td className={styles.track}>
                <i style={{ width: `${(100 * weight(row)) / most}%` }} aria-hidden />
                <span>
                  {t("runs.tokens_of", { count: row.tokens, replace: { count: whole(row.tokens) } })}
                </span>
              </td>
              <td>{t("runs.calls_of", { count: row.count })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
