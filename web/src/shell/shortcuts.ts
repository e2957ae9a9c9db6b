import { useEffect } from "react";

/** A key with Ctrl or Cmd, as `k` or `.`. None counts while a word is being composed. */
export function useShortcut(key: string, act: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.keyCode === 229) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === key) {
        event.preventDefault();
        act();
      }
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [key, act]);
}
