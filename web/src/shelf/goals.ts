import type { WritingDay } from "../api/schema";

/** A day of the year's map: `level` from 0, nothing written, to 4, the goal reached. */
export type MapDay = { date: string; hand: number; agents: number; level: number };

const WEEKS = 53;
const DAY = 86_400_000;

/** Returns the weeks of the last year, Monday first, the last one up to today. */
export function yearOf(days: readonly WritingDay[], today: string, goal: number | null): MapDay[][] {
  const known = new Map(days.map((day) => [day.date, day]));
  const most = Math.max(1, ...days.map(({ hand }) => hand));
  const end = Date.parse(`${today}T00:00:00Z`);
  const weekday = (new Date(end).getUTCDay() + 6) % 7;
  const begin = end - (weekday + (WEEKS - 1) * 7) * DAY;
  const weeks: MapDay[][] = [];
  for (let week = 0; week < WEEKS; week++) {
    const column: MapDay[] = [];
    for (let day = 0; day < 7; day++) {
      const at = begin + (week * 7 + day) * DAY;
      if (at > end) break;
      const date = new Date(at).toISOString().slice(0, 10);
      const { hand, agents } = known.get(date) ?? { hand: 0, agents: 0 };
      column.push({ date, hand, agents, level: levelOf(hand, goal ?? most) });
    }
    weeks.push(column);
  }
  return weeks;
}

function levelOf(words: number, goal: number): number {
  if (words <= 0) return 0;
  return Math.max(1, Math.min(4, Math.floor((words / goal) * 4)));
}

/** Returns a goal as it is typed: a whole number, 0 for none; `undefined` for anything else. */
export function goalOf(typed: string): number | undefined {
  const bare = typed.replace(/[\s,，]/g, "");
  if (bare === "") return 0;
  return /^\d{1,8}$/.test(bare) ? Number(bare) : undefined;
}
