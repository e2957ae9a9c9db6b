import { useEffect } from "react";
import { isComposing } from "../parts/composing";

/** A key with Ctrl or Cmd, as `k` or `.`. None counts while a word is being composed. */
export function useShortcut(key: string, act: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isComposing(event)) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === key) {
        event.preventDefault();
        act();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [key, act]);
}
