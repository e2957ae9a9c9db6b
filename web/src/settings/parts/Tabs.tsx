import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";
import { isComposing } from "../../parts/composing";
import { stepped } from "../../parts/tabs";
import styles from "./parts.module.css";

type Tab<Name extends string> = { name: Name; title: string };

type Props<Name extends string> = {
  label: string;
  tabs: readonly Tab<Name>[];
  /** Whether the tabs stand below each other, at the left of what they show. */
  isColumn?: boolean;
  children: (name: Name) => ReactNode;
};

/** Several pages in one place. Which is open stands behind `#` in the address. */
export function Tabs<Name extends string>({ label, tabs, isColumn = false, children }: Props<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState(() => location.hash.slice(1));
  const place = Math.max(
    0,
    tabs.findIndex((tab) => tab.name === chosen),
  );
  const open = tabs[place];
  if (!open) return null;

  const show = (name: Name) => {
    choose(name);
    history.replaceState(history.state, "", `#${name}`);
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const next = stepped(event.key, place, tabs.length, isColumn);
    const tab = next === undefined ? undefined : tabs[next];
    if (!tab || next === undefined) return;
    event.preventDefault();
    show(tab.name);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div className={isColumn ? styles.split : styles.panel}>
      <div
        ref={list}
        role="tablist"
        aria-label={label}
        aria-orientation={isColumn ? "vertical" : "horizontal"}
        className={isColumn ? styles.tabs : styles.across}
      >
        {tabs.map(({ name, title }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === open.name}
            aria-controls={`${id}-panel`}
            tabIndex={name === open.name ? 0 : -1}
            className={styles.tab}
            onClick={() => show(name)}
            onKeyDown={press}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${open.name}`}
        className={styles.panel}
        key={open.name}
      >
        {children(open.name)}
      </div>
    </div>
  );
}
