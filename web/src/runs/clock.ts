import { useEffect, useState } from "react";

/** The time of day, told anew each second while somebody wants to know. */
export function useNow(isTicking: boolean): number {
  const [now, tell] = useState(Date.now);
  useEffect(() => {
    if (!isTicking) return;
    tell(Date.now());
    const timer = setInterval(() => tell(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
