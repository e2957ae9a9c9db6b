import { useTranslation } from "react-i18next";
import type { RunStatus } from "../api/schema";
import { useNames } from "./names";
import styles from "./Status.module.css";
import type { WorkStatus } from "./state";

/** How a run stands, in a word with a dot that breathes while it works. */
export function Status({ status }: { status: RunStatus }) {
  const { t } = useTranslation();
  return (
    <span className={styles.status} data-status={status}>
      <i className={styles.dot} aria-hidden />
      {t(`runs.status.${status}`)}
    </span>
  );
}

/** How far a piece of work is, as a dot that can be heard. */
export function Dot({ status }: { status: WorkStatus | "kept" }) {
  const { word } = useNames();
  return (
    <span className={styles.status} data-status={status}>
      <i className={styles.dot} aria-hidden />
      <span className="unseen">{word("work", status)}</span>
    </span>
  );
}
