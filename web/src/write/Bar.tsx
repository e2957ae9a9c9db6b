import type { ReactNode } from "react";
import styles from "./Bar.module.css";

type Props = { label?: string; tone?: "waiting" | "failing"; children: ReactNode };

/** A line above the text about its state, with what can be done. */
export function Bar({ label, tone, children }: Props) {
  return (
    <section className={styles.bar} data-tone={tone} aria-label={label}>
      {children}
    </section>
  );
}
