import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Chapter } from "../chapters/list";
import { at } from "../shell/places";
import styles from "./Around.module.css";

export type Neighbours = { previous: Chapter | undefined; next: Chapter | undefined };

/** Where one is in the book, and the chapters before and after. */
export function Around({
  project,
  chapter: { number, title },
  around: { previous, next },
}: {
  project: string;
  chapter: Chapter;
  around: Neighbours;
}) {
  const { t } = useTranslation();
  return (
    <nav className={styles.around} aria-label={t("shell.chapters")}>
      {previous && (
        <Link
          href={at.chapter(project, previous.id)}
          className={styles.step}
          aria-label={t("write.previous", { title: previous.title })}
          title={previous.title}
        >
          <ChevronLeft size={16} aria-hidden />
        </Link>
      )}
      <span className={styles.here}>{number === undefined ? title : t("common.chapter", { number })}</span>
      {next && (
        <Link
          href={at.chapter(project, next.id)}
          className={styles.step}
          aria-label={t("write.next", { title: next.title })}
          title={next.title}
        >
          <ChevronRight size={16} aria-hidden />
        </Link>
      )}
    </nav>
  );
}
