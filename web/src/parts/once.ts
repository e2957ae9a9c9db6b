import { useRef } from "react";

/** Returns `act` so that a call is ignored while the last one is under way: a double click acts once. */
export function useOnce(act: () => Promise<unknown>): () => void {
  const isBusy = useRef(false);
  return () => {
    if (isBusy.current) return;
    isBusy.current = true;
    void act()
      .catch(() => undefined)
      .finally(() => {
        isBusy.current = false;
      });
  };
}
