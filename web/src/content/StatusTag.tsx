import { useTranslation } from "react-i18next";
import type { FieldStatus } from "./production";
import styles from "./StatusTag.module.css";

/** How a field stands, in a word. */
export function StatusTag({ status }: { status: FieldStatus }) {
  const { t } = useTranslation();
  return (
    <span className={styles.status} data-status={status}>
      {t(`content.status.${status}`)}
    </span>
  );
}
