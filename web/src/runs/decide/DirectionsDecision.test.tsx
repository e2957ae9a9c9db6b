import { act } from "react";
import { createRoot } from "react-dom/client";
import { beforeEach, expect, it } from "vitest";
import type { Direction, RunAnswer } from "../../api/schema";
import { DirectionsDecision } from "./DirectionsDecision";

const direction = (title: string): Direction => ({
  title,
  blurb: "",
  cast: "",
  conflict: "",
  length: "",
  audience: "",
  platform: "",
});
const answers: RunAnswer[] = [];

/** Shows the card, acts on it and takes it away. */
async function shown(questionId: string, work: (card: HTMLElement) => void): Promise<void> {
  const card = document.createElement("div");
  const root = createRoot(card);
  await act(async () =>
    root.render(
      <DirectionsDecision
        project="p-1"
        run="r-1"
        question={{ asks: "directions", round: 1, directions: ["雾港", "旧信", "灯塔"].map(direction) }}
        questionId={questionId}
        isBusy={false}
        isWide={false}
        onAnswer={(answer) => answers.push(answer)}
      />,
    ),
  );
  await act(async () => work(card));
  await act(async () => root.unmount());
}

const radios = (card: HTMLElement) => [...card.querySelectorAll<HTMLInputElement>("input[type=radio]")];
const checked = (card: HTMLElement) => radios(card).map((radio) => radio.checked);

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  answers.length = 0;
});

it("keeps the chosen direction while the card moves from the column of agents to the page of the run", async () => {
  await shown("q-1", (card) => radios(card)[1]?.click());
  await shown("q-1", (card) => {
    expect(checked(card)).toEqual([false, true, false]);
    card.querySelectorAll<HTMLButtonElement>("button")[1]?.click();
  });
  expect(answers).toEqual([{ answer: "direct", direction: 2, mix: {}, words: "" }]);
});

it("begins another question with its first direction", async () => {
  await shown("q-2", (card) => radios(card)[2]?.click());
  await shown("q-3", (card) => expect(checked(card)).toEqual([true, false, false]));
});
