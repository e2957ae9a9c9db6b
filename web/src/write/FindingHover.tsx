import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Chapter } from "../chapters/list";
import { FindingCard } from "./FindingCard";
import styles from "./Findings.module.css";
import type { Editing } from "./useEditing";
import type { FoundHere } from "./useFindings";

type Props = { project: string; chapter: Chapter; found: FoundHere; editing: Editing };
type Place = { finding: string; left: number; top: number; isAbove: boolean };

const PATIENCE = 250;
const WIDE = 352;

/** The card of the finding whose words are pointed at, or were gone to. */
export function FindingHover({ project, chapter, found, editing: { editor } }: Props) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<Place>();
  const card = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const finding = place && found.findings.find(({ issue }) => issue.id === place.finding);

  useEffect(() => {
    if (editor.isDestroyed) return;
    const { dom } = editor.view;
    const later = (act: () => void) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(act, PATIENCE);
    };
    const over = ({ target }: Event) => {
      const words = target instanceof Element ? target.closest("[data-finding]") : null;
      if (words instanceof HTMLElement && words.dataset.finding) {
        const next = placeOf(words, words.dataset.finding);
        later(() => setPlace(next));
      }
    };
    // A card into which something is typed stays.
    const out = () =>
      later(() => {
        if (!card.current?.matches(":hover, :focus-within")) setPlace(undefined);
      });
    const scrolled = () => setPlace(undefined);
    const scroller = dom.closest("[data-scroll]");
    dom.addEventListener("mouseover", over);
    dom.addEventListener("mouseout", out);
    scroller?.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      clearTimeout(timer.current);
      dom.removeEventListener("mouseover", over);
      dom.removeEventListener("mouseout", out);
      scroller?.removeEventListener("scroll", scrolled);
    };
  }, [editor]);

  if (!place || !finding) return null;
  return (
    <div
      ref={card}
      role="dialog"
      aria-label={finding.issue.title}
      className={styles.hover}
      style={{
        left: place.left,
        ...(place.isAbove ? { bottom: window.innerHeight - place.top } : { top: place.top }),
      }}
      onMouseEnter={() => clearTimeout(timer.current)}
      onMouseLeave={() => {
        if (!card.current?.matches(":focus-within")) setPlace(undefined);
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) setPlace(undefined);
      }}
    >
      <div className={styles.line}>
        <strong>{finding.issue.title}</strong>
        <button
          type="button"
          className={styles.shut}
          aria-label={t("common.close")}
          onClick={() => setPlace(undefined)}
        >
          <X size={16} aria-hidden />
        </button>
      </div>
      <FindingCard project={project} chapter={chapter} finding={finding} />
    </div>
  );
}

function placeOf(words: HTMLElement, finding: string): Place {
  const { left, top, bottom } = words.getClientRects()[0] ?? words.getBoundingClientRect();
  const isAbove = bottom > window.innerHeight * 0.55;
  return {
    finding,
    left: Math.max(8, Math.min(left, window.innerWidth - WIDE - 16)),
    top: isAbove ? top - 2 : bottom + 2,
    isAbove,
  };
}
