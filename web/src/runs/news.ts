import type { RunRow } from "../api/schema";

/** Where the wish for notices is kept in this browser. */
const KEPT = "qingyu.notices";

/** A change of a run: it waits for an answer, or is over. */
export type RunNews = { run: RunRow; is: "waiting" | "over" };

/** Returns what is new between two looks at the open runs; a run that is first seen waiting is no news. */
export function newsBetween(before: readonly RunRow[], now: readonly RunRow[]): RunNews[] {
  return before
    .filter(({ status }) => status === "running")
    .flatMap((run): RunNews[] => {
      const after = now.find((one) => one.run === run.run);
      if (!after) return [{ run, is: "over" }];
      return after.status === "waiting" ? [{ run: after, is: "waiting" }] : [];
    });
}

/** Whether this browser shows notices: the author wants them, and the browser allows them. */
export function hasNotices(): boolean {
  return (
    "Notification" in window && Notification.permission === "granted" && localStorage.getItem(KEPT) === "on"
  );
}

/** Switches notices on or off; asks the browser for permission first. Resolves to whether they are on. */
export async function wantNotices(isWanted: boolean): Promise<boolean> {
  if (isWanted && "Notification" in window) await Notification.requestPermission();
  localStorage.setItem(KEPT, isWanted ? "on" : "off");
  return hasNotices();
}
