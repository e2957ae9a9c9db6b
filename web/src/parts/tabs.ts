/** Where a key leads among `count` tabs; nowhere if it is none of theirs. */
export function stepped(key: string, place: number, count: number, isColumn: boolean): number | undefined {
  const [back, on] = isColumn ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  if (key === on) return (place + 1) % count;
  if (key === back) return (place + count - 1) % count;
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  return undefined;
}
