import type { ReactNode } from "react";
import { Link } from "wouter";
import styles from "./Card.module.css";

type Props = { href?: string; tone?: "waiting" | "failing"; children: ReactNode };

/** A thing among others; all of it leads somewhere if it has an address. */
export function Card({ href, tone, children }: Props) {
  const name = tone ? `${styles.card} ${styles[tone]}` : styles.card;
  if (href === undefined) return <article className={name}>{children}</article>;
  return (
    <Link href={href} className={name}>
      {children}
    </Link>
  );
}

/** Cards side by side, as many as fit. */
export function Cards({ children }: { children: ReactNode }) {
  return <div className={styles.cards}>{children}</div>;
}

/** A word about a thing. */
export function Tag({ children }: { children: ReactNode }) {
  return <span className={styles.tag}>{children}</span>;
}

/** Small things side by side. */
export function Row({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}

/** Words of less weight. */
export function Dim({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className={styles.dim}>
      {children}
    </span>
  );
}

/** The beginning of a longer text, four lines at most. */
export function Excerpt({ children }: { children: ReactNode }) {
  return <p className={styles.excerpt}>{children}</p>;
}
