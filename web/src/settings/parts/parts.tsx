import { type ReactNode, type Ref, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../parts/Button";
import styles from "./parts.module.css";

type SectionProps = { title: string; about?: string; actions?: ReactNode; children: ReactNode };

/** A part of a page under a heading. */
export function Section({ title, about, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {about && <p className={styles.about}>{about}</p>}
      {children}
    </section>
  );
}

type SearchProps = { placeholder: string; typed: string; onType: (typed: string) => void };

/** A field that narrows what is listed. */
export function Search({ placeholder, typed, onType }: SearchProps) {
  const { t } = useTranslation();
  return (
    <input
      type="search"
      className={styles.search}
      aria-label={t("common.search")}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

type SegmentsProps<Value extends string> = {
  label: string;
  value: Value | undefined;
  options: readonly [Value, string][];
  isDisabled?: boolean;
  onChange: (value: Value) => void;
};

/** One of a few, side by side. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={props.label} className={styles.segments}>
      {props.options.map(([value, title]) => (
        <label key={value}>
          <input
            type="radio"
            className="unseen"
            name={name}
            value={value}
            checked={value === props.value}
            disabled={props.isDisabled}
            onChange={() => props.onChange(value)}
          />
          {title}
        </label>
      ))}
    </div>
  );
}

type SwitchProps = {
  label: string;
  isOn: boolean;
  isDisabled?: boolean;
  /** The id of a text that says why it is disabled. */
  describedBy?: string;
  onChange: (isOn: boolean) => void;
};

/** On or off. */
export function Switch({ label, isOn, isDisabled, describedBy, onChange }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-describedby={describedBy}
      title={label}
      disabled={isDisabled}
      className={styles.switch}
      onClick={() => onChange(!isOn)}
    />
  );
}

/** A bar among others: what it stands for, how long it is, and the same in figures. */
export type Bar = { name: string; amount: number; told: string };

/** Amounts side by side; the longest bar is the most, or `most` where that is known. */
export function Bars({ bars, most }: { bars: readonly Bar[]; most?: number }) {
  const whole = most ?? Math.max(0, ...bars.map((bar) => bar.amount));
  return (
    <ul className={styles.bars}>
      {bars.map((bar, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names may be the same, and the order is that of the answer
        <li key={place} className={styles.bar}>
          <span title={bar.name}>{bar.name}</span>
          <span className={styles.track} aria-hidden>
            {bar.amount > 0 && <i style={{ width: `${(100 * bar.amount) / whole}%` }} />}
          </span>
          <span>{bar.told}</span>
        </li>
      ))}
    </ul>
  );
}

/** Figures with their names; one that is not known is a dash. */
export function Figures({ told }: { told: readonly (readonly [string, string | undefined])[] }) {
  return (
    <dl className={styles.figures}>
      {told.map(([name, value]) => (
        <div key={name} className={styles.figure}>
          <dt>{name}</dt>
          <dd>{value ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

type TableProps = {
  label: string;
  head: ReactNode;
  body?: Ref<HTMLTableSectionElement>;
  children: ReactNode;
};

/** A table that scrolls by itself where it is wider than the page. */
export function Table({ label, head, body, children }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className={styles.scroll} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>{head}</thead>
        <tbody ref={body}>{children}</tbody>
      </table>
    </section>
  );
}

type CopyProps = { text: string | (() => Promise<string>); label?: string; name?: string };

/** Puts a text on the clipboard, and says so. */
export function CopyButton({ text, label, name }: CopyProps) {
  const { t } = useTranslation();
  const [state, become] = useState<"idle" | "busy" | "done" | "failed">("idle");
  const copy = async () => {
    become("busy");
    const isDone = await put(text).then(
      () => true,
      () => false,
    );
    become(isDone ? "done" : "failed");
    setTimeout(() => become("idle"), 2_500);
  };
  const told = { idle: "", busy: "", done: t("settings.copied"), failed: t("settings.not_copied") }[state];
  return (
    <>
      <Button onClick={copy} disabled={state === "busy"} aria-label={name}>
        {told || label || t("common.copy")}
      </Button>
      <span role="status" className="unseen">
        {told}
      </span>
    </>
  );
}

/** A text that has yet to come is handed over as a promise: after a wait no page may write to the clipboard. */
async function put(text: string | (() => Promise<string>)): Promise<void> {
  if (typeof text === "string") return navigator.clipboard.writeText(text);
  const coming = text().then((words) => new Blob([words], { type: "text/plain" }));
  await navigator.clipboard.write([new ClipboardItem({ "text/plain": coming })]);
}

/** Outside of any component, so that it acts only when the element comes. */
function focusFirst(element: HTMLElement | null): void {
  element?.querySelector("button")?.focus();
}

type ConfirmProps = {
  label: string;
  /** What it acts on, in a list where several buttons have the same label. */
  of?: string;
  /** What will be done, and that it cannot be taken back. */
  question: string;
  isBusy?: boolean;
  onConfirm: () => void;
};

/** A button that asks once more before it acts. */
export function ConfirmButton({ label, of, question, isBusy, onConfirm }: ConfirmProps) {
  const { t } = useTranslation();
  const [isAsking, ask] = useState(false);
  const name = of === undefined ? undefined : t("common.act_on", { act: label, name: of });
  if (!isAsking) {
    return (
      <Button aria-label={name} onClick={() => ask(true)} disabled={isBusy}>
        {label}
      </Button>
    );
  }
  const decide = (act?: () => void) => () => {
    ask(false);
    act?.();
  };
  return (
    <span ref={focusFirst} role="alertdialog" aria-label={question} className={styles.asking}>
      <span>{question}</span>
      <Button kind="danger" aria-label={name} onClick={decide(onConfirm)}>
        {label}
      </Button>
      <Button onClick={decide()}>{t("common.cancel")}</Button>
    </span>
  );
}
