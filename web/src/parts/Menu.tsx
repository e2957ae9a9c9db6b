import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import styles from "./Menu.module.css";

export type MenuItem = { name: string; act(): void; isDanger?: boolean };

/** A point of the window, in pixels. */
export type MenuPlace = { left: number; top: number };

type Props = {
  label: string;
  items: readonly MenuItem[];
  /** Where it opens. */
  at: MenuPlace;
  /** It was closed without a choice, or is about to run one; the caller puts the focus back. */
  onClose(): void;
};

const EDGE = 8;

/** A menu of actions at a point of the page: arrow keys choose, Escape closes. */
export function Menu({ label, items, at, onClose }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState(at);
  useLayoutEffect(() => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return;
    setPlace({
      left: Math.max(EDGE, Math.min(at.left, window.innerWidth - box.width - EDGE)),
      top: Math.max(EDGE, Math.min(at.top, window.innerHeight - box.height - EDGE)),
    });
    frame.current?.querySelector("button")?.focus();
  }, [at]);
  useEffect(() => {
    const press = (event: PointerEvent) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) onClose();
    };
    addEventListener("pointerdown", press, true);
    return () => removeEventListener("pointerdown", press, true);
  }, [onClose]);

  const press = (event: KeyboardEvent) => {
    const buttons = [...(frame.current?.querySelectorAll("button") ?? [])];
    const here = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const to = (index: number) => buttons[(index + buttons.length) % buttons.length]?.focus();
    const steps: Record<string, () => void> = {
      ArrowDown: () => to(here + 1),
      ArrowUp: () => to(here - 1),
      Home: () => to(0),
      End: () => to(-1),
      Escape: onClose,
      Tab: onClose,
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };
  return createPortal(
    <div
      ref={frame}
      role="menu"
      aria-label={label}
      className={styles.menu}
      style={place}
      onKeyDown={press}
      onContextMenu={(event) => event.preventDefault()}
    >
      {items.map(({ name, act, isDanger }) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={isDanger ? `${styles.item} ${styles.danger}` : styles.item}
          onClick={() => {
            onClose();
            act();
          }}
        >
          {name}
        </button>
      ))}
    </div>,
    document.body,
  );
}
