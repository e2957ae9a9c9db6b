import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Chapter } from "../chapters/list";
import { FindingCard } from "./FindingCard";
import styles from "./Findings.module.css";
import type { FoundHere } from "./useFindings";

type Props = { project: string; chapter: Chapter; found: FoundHere };

/** The chapter's findings in a strip below its title; one of them at a time is told in full. */
export function FindingsStrip({ project, chapter, found }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<string>();
  if (found.findings.length === 0) return null;
  return (
    <section className={styles.strip} aria-label={t("write.findings.label")}>
      <h2>{t("write.findings.count", { count: found.findings.length })}</h2>
      <ul>
        {found.findings.map((finding) => {
          const id = finding.issue.id ?? "";
          const isOpen = open === id;
          return (
            <li key={id} data-severity={finding.issue.severity}>
              <div className={styles.line}>
                <button
                  type="button"
                  className={styles.name}
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? undefined : id)}
                >
                  {finding.issue.title}
                </button>
                <button type="button" className={styles.locate} onClick={() => found.locate(id)}>
                  {t("write.findings.locate")}
                </button>
              </div>
              {isOpen && <FindingCard project={project} chapter={chapter} finding={finding} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
