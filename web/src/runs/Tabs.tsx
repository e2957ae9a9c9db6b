import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { isComposing } from "../parts/composing";
import { stepped } from "../parts/tabs";
import styles from "./Tabs.module.css";

export type Tab<Name extends string> = { name: Name; title: string; count?: number };

type Props<Name extends string> = {
  label: string;
  tabs: readonly Tab<Name>[];
  shown: Name;
  onShow(name: Name): void;
  children: ReactNode;
};

/** Tabs, of which one is shown; the arrow keys go through them. */
export function Tabs<Name extends string>({ label, tabs, shown, onShow, children }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const here = tabs.findIndex((tab) => tab.name === shown);
    const next = tabs[stepped(event.key, here, tabs.length, false) ?? -1];
    if (!next) return;
    event.preventDefault();
    onShow(next.name);
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.name}"]`)?.focus();
  };
  return (
    <>
      <div ref={list} className={styles.tabs} role="tablist" aria-label={label} onKeyDown={press}>
        {tabs.map(({ name, title, count }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            data-tab={name}
            aria-selected={name === shown}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onShow(name)}
          >
            {title}
            {count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} className={styles.panel} role="tabpanel" aria-labelledby={`${id}-${shown}`}>
        {children}
      </div>
    </>
  );
}
