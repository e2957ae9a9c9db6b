import { type ReactNode, useEffect } from "react";
import styles from "./Page.module.css";

type Props = {
  title: string;
  /** A sentence below the title. */
  about?: string;
  /** What can be done here, at the right of the title. */
  actions?: ReactNode;
  /** Whether it takes all the room there is. */
  isWide?: boolean;
  children: ReactNode;
};

/** A page in the middle column. */
export function Page({ title, about, actions, isWide, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Qingyu`;
  }, [title]);
  return (
    <div className={styles.page}>
      <div className={isWide ? `${styles.inner} ${styles.wide}` : styles.inner}>
        <header className={styles.head}>
          <h1>{title}</h1>
          {actions}
        </header>
        {about && <p className={styles.about}>{about}</p>}
        {children}
      </div>
    </div>
  );
}
