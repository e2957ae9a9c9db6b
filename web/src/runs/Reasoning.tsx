import { useTranslation } from "react-i18next";
import styles from "./Reasoning.module.css";

type Props = {
  /** What it is the reasoning of, where that is not said around it. */
  of?: string;
  lines: readonly string[];
  isOpen?: boolean;
};

/** How something came about, a step after the other. */
export function Reasoning({ of, lines, isOpen = false }: Props) {
  const { t } = useTranslation();
  if (lines.length === 0) return null;
  return (
    <details className={styles.reasoning} open={isOpen}>
      <summary>
        {t("runs.page.reasoning")}
        {of && ` · ${of}`} <small>{lines.length}</small>
      </summary>
      <ol>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step may be said twice, and steps are only added
          <li key={index}>{line}</li>
        ))}
      </ol>
    </details>
  );
}
