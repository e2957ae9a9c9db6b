import { ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Document } from "../api/story";
import { ChapterTitle } from "../chapters/ChapterTitle";
import { nameOf } from "../chapters/list";
import type { MenuPlace } from "../parts/Menu";
import { lengthOfText } from "../write/count";
import styles from "./ProjectTree.module.css";
import type { TreeEditing } from "./Tree";
import { isNumbered, type TreeRow } from "./tree";

type Props = {
  row: TreeRow;
  /** The id of the element that names the row. */
  nameId: string;
  href: string;
  isHere: boolean;
  isActive: boolean;
  language: string;
  editing: TreeEditing | undefined;
  /** The link was followed here, not in another tab. */
  onFollow(): void;
  onMenu(at: MenuPlace): void;
};

/** The content of a row of the tree. */
export function TreeItem({
  row,
  nameId,
  href,
  isHere,
  isActive,
  language,
  editing,
  onFollow,
  onMenu,
}: Props) {
  const { t } = useTranslation();
  const { chapter, title, isOpen, number } = row;
  if (isOpen !== undefined) {
    return (
      <>
        <ChevronRight size={14} className={styles.mark} data-open={isOpen} aria-hidden />
        <span id={nameId} className={`${styles.name} ${styles.part}`}>
          {title}
        </span>
      </>
    );
  }
  if (chapter && editing && editing.renamed === nameOf(chapter)) {
    const save = (typed: string) => editing.rename(chapter, typed);
    return <ChapterTitle title={title} onSave={save} onClose={editing.endRename} />;
  }
  const isPlanned = row.kind === "chapter" && row.document === undefined;
  return (
    <>
      <Link
        id={nameId}
        href={href}
        className={styles.link}
        tabIndex={-1}
        draggable={false}
        aria-current={isHere ? "page" : undefined}
        title={title}
        onClick={onFollow}
      >
        {number !== undefined && !isNumbered(title) && <span className={styles.number}>{number}</span>}
        <span className={isPlanned ? `${styles.name} ${styles.unwritten}` : styles.name}>{title}</span>
        <span className={styles.length}>
          {isPlanned && t("chapters.planned")}
          {row.document && <Length document={row.document} language={language} />}
        </span>
      </Link>
      {chapter && editing && (
        <button
          type="button"
          className={styles.more}
          tabIndex={isActive ? 0 : -1}
          aria-haspopup="menu"
          aria-label={t("chapters.menu", { title })}
          onClick={(event) => {
            event.stopPropagation();
            const { left, bottom } = event.currentTarget.getBoundingClientRect();
            onMenu({ left, top: bottom });
          }}
        >
          ⋯
        </button>
      )}
    </>
  );
}

function Length({ document, language }: { document: Document; language: string }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {lengthOfText(document, language).toLocaleString(i18n.language)}
      <span className="unseen"> {t(language === "en" ? "chapters.unit_words" : "chapters.unit")}</span>
    </>
  );
}
