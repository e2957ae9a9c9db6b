type List<Entry> = {
  entries: readonly Entry[];
  active: number;
  setActive(index: number): void;
  pick(entry: Entry): void;
  /** Shuts the list, and keeps it shut for what is typed there. */
  refuse(): void;
};

/** Takes the keys of a list at the caret while the editor has the focus; returns whether the key was meant for it. */
export function pressInList<Entry>(
  event: KeyboardEvent,
  { entries, active, setActive, pick, refuse }: List<Entry>,
): boolean {
  const chosen = entries[active];
  if (!chosen || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return false;
  const steps: Record<string, () => void> = {
    ArrowDown: () => setActive((active + 1) % entries.length),
    ArrowUp: () => setActive((active + entries.length - 1) % entries.length),
    Enter: () => pick(chosen),
    Tab: () => pick(chosen),
    Escape: refuse,
  };
  const step = steps[event.key];
  if (!step) return false;
  event.preventDefault();
  step();
  return true;
}
