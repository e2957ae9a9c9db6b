import type { Level, Review, ReviewOptions } from "../api/schema";

export const platforms = ["general", "qidian", "fanqie"] as const;
export type Platform = (typeof platforms)[number];
export const levels = ["loose", "standard", "strict"] as const satisfies Level[];

export type Reviewing = { chapter: string | undefined; platform: Platform; level: Level | undefined };

/** How a review is asked for. */
export function optionsOf({ platform, level }: Reviewing, language: "zh" | "en"): ReviewOptions {
  return {
    against: [],
    language,
    level: level ?? null,
    platform: platform === "general" ? "general" : { named: platform },
  };
}

/** Whether a review found nothing at all. */
export function isClean({ compliance, sensitive, originality }: Review): boolean {
  return compliance.length === 0 && sensitive.length === 0 && (originality?.passages ?? []).length === 0;
}

type Word = Review["sensitive"][number];

/** The words of a review, each once with how often it stands there, the most frequent first. */
export function gathered(words: readonly Word[]): { word: Word; count: number }[] {
  const found = new Map<string, { word: Word; count: number }>();
  for (const word of words) {
    const known = found.get(word.text);
    if (known) known.count++;
    else found.set(word.text, { word, count: 1 });
  }
  return [...found.values()].sort((one, other) => other.count - one.count);
}
