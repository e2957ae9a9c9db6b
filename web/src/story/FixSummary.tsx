import { useTranslation } from "react-i18next";
import type { StoryFixes } from "../api/schema";
import styles from "./Findings.module.css";

/** Number of fixed findings, the removed pieces and the changed fields of the last fix. */
export function FixSummary({ fixes: { mended, left, removed = [], changed = [] } }: { fixes: StoryFixes }) {
  const { t } = useTranslation();
  if (mended.length === 0) return <p>{t("story.findings.mended_none")}</p>;
  return (
    <>
      <p>{t("story.findings.mended", { count: mended.length, left: Object.keys(left).length })}</p>
      {removed.length > 0 && <p>{t("story.findings.removed", { pieces: removed.join(" · ") })}</p>}
      {changed.length > 0 && (
        <>
          <p>{t("story.findings.changed")}</p>
          <ul className={styles.changed}>
            {[...new Set(changed)].map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
