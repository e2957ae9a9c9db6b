import { type ReactNode, useCallback, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { PieceKind, RoleType } from "../api/schema";
import { Button } from "../parts/Button";
import { addressOf, addressOfChapter } from "./addresses";
import type { Book, Piece } from "./book";
import styles from "./parts.module.css";
import { usePicture } from "./pictures";

const HAN = /\p{Script=Han}/u;

/** The letters that stand for a name. */
export function initials(name: string): string {
  const letters = [...name.trim()];
  if (HAN.test(name)) return letters.filter((letter) => HAN.test(letter)).at(-1) ?? "";
  const words = name.trim().split(/\s+/);
  return words
    .slice(0, 2)
    .map((word) => [...word][0] ?? "")
    .join("")
    .toUpperCase();
}

type MedallionProps = {
  project: string;
  card: string;
  name: string;
  role: RoleType;
  /** Whether it is one of many on the page. */
  isListed?: boolean;
};

/**
 * Somebody's picture; without one their seal: the last letter of a Chinese name, the initials of another. Both in the colour
 * of their part.
 */
export function Medallion({ project, card, name, role, isListed = false }: MedallionProps) {
  const shown = usePicture(project, card, isListed);
  return (
    <span className={styles.medallion} data-role={role} aria-hidden>
      {shown ? <img src={shown.src} alt="" /> : initials(name)}
    </span>
  );
}

/** The outline of the bars of a strip, each as wide as the others. */
export function bars(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values
    .map((value, index) => {
      if (value === 0) return "";
      const height = 14 + (86 * value) / most;
      return `M${index + 0.12} 100V${100 - height}H${index + 0.88}V100Z`;
    })
    .join("");
}

/** A bar for each chapter; what it shows is said in words as well. */
export function Strip({ values, label }: { values: readonly number[]; label: string }) {
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 ${Math.max(1, values.length)} 100`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <title>{label}</title>
      <path d={bars(values)} />
    </svg>
  );
}

/** Leads to a chapter by its number. */
export function ChapterLink({ project, book, number }: { project: string; book: Book; number: number }) {
  const { t } = useTranslation();
  const href = addressOfChapter(project, book, number);
  const words = t("common.chapter", { number });
  if (!href) return <span>{words}</span>;
  return (
    <Link href={href} className={styles.link} title={book.chapters[number - 1]?.title}>
      {words}
    </Link>
  );
}

/** Leads to a piece. */
export function PieceLink({
  project,
  piece,
}: {
  project: string;
  piece: Pick<Piece, "kind" | "id" | "name">;
}) {
  return (
    <Link href={addressOf(project, piece.kind, piece.id)} className={styles.link}>
      {piece.name}
    </Link>
  );
}

/** A name; it leads to its piece if it has one. */
export function Name({ project, book, name }: { project: string; book: Book; name: string }) {
  const piece = book.named(name);
  return piece ? <PieceLink project={project} piece={{ ...piece, name }} /> : name;
}

/** Words of the book. */
export function Quote({ children, source }: { children: string; source?: ReactNode }) {
  return (
    <blockquote className={styles.quote}>
      {children}
      {source && <footer>{source}</footer>}
    </blockquote>
  );
}

/** One of a few looks. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <div className={styles.tabs} role="radiogroup" aria-label={label}>
      {options.map(([option, words]) => (
        <label key={option}>
          <input type="radio" name={name} checked={option === value} onChange={() => onChange(option)} />
          {words}
        </label>
      ))}
    </div>
  );
}

/** As of the end of which chapter. */
export function ChapterSlider({
  book,
  value,
  onChange,
}: {
  book: Book;
  value: number;
  onChange: (value: number) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const chapter = book.chapters[value - 1];
  return (
    <div className={styles.slider}>
      <label htmlFor={id}>{t("story.as_of")}</label>
      <input
        id={id}
        type="range"
        min={1}
        max={Math.max(1, book.chapters.length)}
        value={value}
        aria-valuetext={chapter?.title}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <output htmlFor={id}>{chapter?.title ?? t("common.chapter", { number: value })}</output>
    </div>
  );
}

/** Does what cannot be seen to be undone only after a second word. */
export function Confirm({
  words,
  question,
  isBusy,
  kind = "plain",
  onConfirm,
}: {
  words: string;
  question: string;
  isBusy?: boolean;
  /** How it looks before it is pressed. */
  kind?: "plain" | "main";
  onConfirm: () => void;
}) {
  const { t } = useTranslation();
  const [isAsked, ask] = useState(false);
  if (!isAsked) {
    return (
      <Button kind={kind} onClick={() => ask(true)}>
        {words}
      </Button>
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is the same as the button that takes it back
    <span
      className={styles.confirm}
      onKeyDown={(event) => event.key === "Escape" && !event.nativeEvent.isComposing && ask(false)}
    >
      <span role="alert">{question}</span>
      <Button
        kind="danger"
        disabled={isBusy}
        onClick={() => {
          ask(false);
          onConfirm();
        }}
      >
        {words}
      </Button>
      <Button autoFocus onClick={() => ask(false)}>
        {t("common.cancel")}
      </Button>
    </span>
  );
}

/** The kind of a piece in the reader's language. */
export function useKindWords(): (kind: PieceKind) => string {
  const { t } = useTranslation();
  return useCallback((kind) => t(`story.kind.${kind}`), [t]);
}

/** A list at the left, what was chosen from it at the right; one below the other where there is no room. */
export function Split({ children }: { children: ReactNode }) {
  return (
    <div className={styles.box}>
      <div className={styles.split}>{children}</div>
    </div>
  );
}

/** A part of a page under a heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Things to set, side by side above what they set. */
export function Bar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
