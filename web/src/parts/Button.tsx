import type { ButtonHTMLAttributes, ReactNode } from "react";
import { Link } from "wouter";
import styles from "./Button.module.css";

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** `main` is what one most likely wants here; there is one of it at most. */
  kind?: "main" | "danger" | "plain";
};

export function Button({ kind, className, type = "button", ...rest }: Props) {
  const names = [styles.button, kind && styles[kind], className].filter(Boolean).join(" ");
  return <button type={type} className={names} {...rest} />;
}

/** A link that looks like a button: it leads to the page where one goes on. */
export function ButtonLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className={`${styles.button} ${styles.main}`}>
      {children}
    </Link>
  );
}
