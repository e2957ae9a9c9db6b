import { create } from "zustand";
import type { Direction } from "../../api/schema";

export type DirectionField = keyof Direction;

/** An answer to offered directions that is not sent yet. */
export type DirectionChoice = {
  /** The number of the direction, from 1. */
  chosen: number;
  /** The direction of single fields, by number. */
  mix: { [field in DirectionField]?: number };
  words: string;
  isMixing: boolean;
};

const FIRST: DirectionChoice = { chosen: 1, mix: {}, words: "", isMixing: false };

type Choices = {
  byQuestion: Readonly<Record<string, DirectionChoice>>;
  change(question: string, part: Partial<DirectionChoice>): void;
};

const useChoices = create<Choices>((set) => ({
  byQuestion: {},
  change: (question, part) =>
    set(({ byQuestion }) => ({
      byQuestion: { ...byQuestion, [question]: { ...(byQuestion[question] ?? FIRST), ...part } },
    })),
}));

/**
 * The answer to a question about directions as the author has composed it so far. It outlives the card: the column of agents
 * shows the question until the page of the run does.
 */
export function useDirectionChoice(
  question: string,
): [DirectionChoice, (part: Partial<DirectionChoice>) => void] {
  const choice = useChoices((choices) => choices.byQuestion[question] ?? FIRST);
  const change = useChoices((choices) => choices.change);
  return [choice, (part) => change(question, part)];
}
