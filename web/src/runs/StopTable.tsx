import { useTranslation } from "react-i18next";
import { useNames } from "./names";
import styles from "./StopTable.module.css";
import type { Stops } from "./stops";

const SIDES = ["before", "after"] as const satisfies (keyof Stops)[];

type Given = { steps: readonly string[]; chosen: Stops; onTurn(side: keyof Stops, step: string): void };

/** The steps of a run's graph, to choose those before and after which it stops. */
export function StopTable({ steps, chosen, onTurn }: Given) {
  const { t } = useTranslation();
  const { agent } = useNames();
  return (
    <table className={styles.stops}>
      <thead>
        <tr>
          <th scope="col">{t("runs.page.stops_step")}</th>
          {SIDES.map((side) => (
            <th key={side} scope="col">
              {t(`runs.page.stops_side.${side}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {steps.map((step) => (
          <tr key={step}>
            <th scope="row">{agent(step)}</th>
            {SIDES.map((side) => (
              <td key={side}>
                <input
                  type="checkbox"
                  aria-label={t(`runs.page.stops_of.${side}`, { step: agent(step) })}
                  checked={chosen[side].includes(step)}
                  onChange={() => onTurn(side, step)}
                />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
