import { useTranslation } from "react-i18next";
import type { Basis } from "../api/schema";
import styles from "./Check.module.css";

/** What weakens a verdict: steps that were not done, rules that could not look. */
export function Rests({ basis }: { basis: Basis | undefined }) {
  const { t } = useTranslation();
  const failed = (basis?.steps ?? []).filter((step) => step.state === "failed");
  const blind = (basis?.rules?.blind ?? []).reduce((sum, rules) => sum + rules.codes.length, 0);
  if (failed.length === 0 && blind === 0) return null;
  return (
    <ul className={styles.rests}>
      {failed.map((step) => (
        <li key={step.step}>
          {t("runs.check.step_failed", { step: step.step, agent: step.agent, reason: step.reason ?? "" })}
        </li>
      ))}
      {blind > 0 && <li>{t("runs.check.blind", { count: blind })}</li>}
    </ul>
  );
}
