import { useTranslation } from "react-i18next";
import { useDates } from "../../parts/dates";
import { useNow } from "../clock";
import { type Lane, lanesOf } from "../lanes";
import { useNames } from "../names";
import type { RunState } from "../state";
import styles from "./Lanes.module.css";
import { Section } from "./Section";

/** Which agent worked when: work side by side is seen side by side. */
export function Lanes({ state }: { state: RunState }) {
  const { t } = useTranslation();
  const { agent, word } = useNames();
  const now = useNow(state.status === "running" && state.seq > 0);
  const lanes = lanesOf(state, now);
  if (lanes.length === 0) return null;
  return (
    <Section title={t("runs.page.lanes")} about={t("runs.page.lanes_about")}>
      <div className={styles.lanes} aria-hidden>
        {lanes.map((lane) => (
          <div key={`${lane.agent}/${lane.row}`} className={styles.lane}>
            <span className={styles.name}>{lane.row === 0 && agent(lane.agent)}</span>
            <span className={styles.track}>
              {lane.stretches.map((stretch) => (
                <i
                  key={stretch.key}
                  className={styles.stretch}
                  data-status={stretch.status}
                  title={`${stretch.label} · ${word("work", stretch.status)} · ${lengthOf(stretch.millis)}`}
                  style={{ left: `${stretch.left}%`, width: `${stretch.width}%` }}
                />
              ))}
            </span>
          </div>
        ))}
      </div>
      <Table lanes={lanes} />
    </Section>
  );
}

function lengthOf(millis: number): string {
  return millis < 1_000 ? `${Math.round(millis)} ms` : `${(millis / 1_000).toFixed(1)} s`;
}

/** The same for those who do not see it. */
function Table({ lanes }: { lanes: readonly Lane[] }) {
  const { t } = useTranslation();
  const { agent, word } = useNames();
  const { when } = useDates();
  const stretches = lanes.flatMap((lane) =>
    lane.stretches.map((stretch) => ({ agent: lane.agent, stretch })),
  );
  return (
    <div className="unseen">
      <table>
        <caption>{t("runs.page.lanes")}</caption>
        <thead>
          <tr>
            <th>{t("runs.page.agent")}</th>
            <th>{t("runs.list.requirement")}</th>
            <th>{t("runs.list.when")}</th>
            <th>{t("runs.list.length")}</th>
            <th>{t("runs.list.state")}</th>
          </tr>
        </thead>
        <tbody>
          {stretches.map(({ agent: name, stretch }) => (
            <tr key={stretch.key}>
              <td>{agent(name)}</td>
              <td>{stretch.label}</td>
              <td>{when(stretch.from)}</td>
              <td>{lengthOf(stretch.millis)}</td>
              <td>{word("work", stretch.status)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
