import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes, TextareaHTMLAttributes } from "react";
import styles from "./Field.module.css";

/** A label over something to fill in. */
function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child
    <label className={styles.field}>
      <span>{label}</span>
      {children}
    </label>
  );
}

type Named = { label: string };

export function TextField({ label, ...rest }: Named & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Labelled label={label}>
      <input className={styles.input} {...rest} />
    </Labelled>
  );
}

export function TextArea({ label, ...rest }: Named & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Labelled label={label}>
      <textarea className={styles.input} {...rest} />
    </Labelled>
  );
}

export function Select({ label, children, ...rest }: Named & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Labelled label={label}>
      <select className={styles.input} {...rest}>
        {children}
      </select>
    </Labelled>
  );
}
