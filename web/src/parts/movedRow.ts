import { type RefObject, useEffect, useRef, useState } from "react";

/**
 * Keeps the focus with a row that is moved by a button: at the same button of its new place, or at the opposite one where
 * the row cannot go on. The two buttons of a row have `data-move` with `-1` and `1`, and no such button stands behind them.
 */
export function useMovedRow<List extends HTMLElement = HTMLOListElement>(): {
  list: RefObject<List | null>;
  follow(place: number, by: 1 | -1): void;
} {
  const list = useRef<List>(null);
  const [moved, setMoved] = useState<{ place: number; by: 1 | -1 }>();
  useEffect(() => {
    if (!moved) return;
    const row = list.current?.children[moved.place];
    const button = (by: number) =>
      [...(row?.querySelectorAll<HTMLButtonElement>(`[data-move="${by}"]`) ?? [])].at(-1);
    const same = button(moved.by);
    (same?.disabled === false ? same : button(-moved.by))?.focus();
    setMoved(undefined);
  }, [moved]);
  return { list, follow: (place, by) => setMoved({ place, by }) };
}
