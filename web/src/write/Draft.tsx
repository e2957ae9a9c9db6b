import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { deltas, onText, type Settled } from "../runs/deltas";
import styles from "./Prose.module.css";

type Props = {
  project: string;
  /** The chapter's number. */
  number: number | undefined;
  /** Whether prose of which no chapter is told is this chapter's. */
  isOnly?: boolean;
};

/** Prose as a model streams it, below the text: painted past React, and cleared when it is saved. */
export function Draft({ project, number, isOnly = false }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLElement>(null);
  const paper = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const show = (text: string | undefined) => {
      if (!paper.current || !frame.current) return;
      frame.current.hidden = text === undefined;
      if (text === undefined) paper.current.textContent = "";
      else paper.current.append(text);
    };
    const end = onText(({ project: of, chapter, text }) => {
      if (of === project && (chapter === undefined ? isOnly : chapter === number)) show(text);
    });
    const settled = (event: Event) => {
      const { project: of, chapter } = (event as CustomEvent<Settled>).detail;
      if (of === project && chapter === number) show(undefined);
    };
    deltas.addEventListener("settled", settled);
    return () => {
      end();
      deltas.removeEventListener("settled", settled);
    };
  }, [project, number, isOnly]);
  return (
    <figure ref={frame} className={styles.draft} hidden aria-live="off" data-testid="draft">
      <figcaption>{t("write.drafting")}</figcaption>
      <p ref={paper} className={styles.stream} />
    </figure>
  );
}
