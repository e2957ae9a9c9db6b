import { type ReactNode, useId } from "react";
import styles from "./RunPage.module.css";

type Props = { title: string; about?: string; children: ReactNode };

/** A part of the run's page. */
export function Section({ title, about, children }: Props) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {about && <p className={styles.about}>{about}</p>}
      {children}
    </section>
  );
}
