import { useEffect, useRef } from "react";
import { isBack } from "../api/client";
import { useLine } from "../api/line";
import { queries } from "../api/queries";

const PAUSE = 2_000;

/** Whether the server is unreachable. Asks for it until it answers, and then loads everything that is shown anew. */
export function useReconnect(): boolean {
  const isLost = useLine((line) => line.isLost);
  const wasLost = useRef(false);
  useEffect(() => {
    if (wasLost.current && !isLost) void queries.invalidateQueries();
    wasLost.current = isLost;
    if (!isLost) return;
    const timer = setInterval(() => void isBack(), PAUSE);
    return () => clearInterval(timer);
  }, [isLost]);
  return isLost;
}
