import type { RunAnswer as HumanAnswer, Write } from "../../api/schema";

/** What is taken or refused by itself: a place of a change, or the whole of a new text. */
export type Place = { id: string; task: string };

/** The places of a change, each under the id by which it is answered. */
export function placesOf({ task, proposal }: Write): Place[] {
  const spans = proposal.spans ?? [];
  if (proposal.document == null || spans.length === 0) return [{ id: task, task }];
  return spans.map((_, index) => ({ id: `${task}/${index + 1}`, task }));
}

/** What the author says to all of it, with as few words as will do; `feedback` counts where nothing is taken. */
export function answerOf(
  writes: readonly Write[],
  refused: ReadonlySet<string>,
  feedback: string,
): HumanAnswer {
  const places = writes.flatMap(placesOf);
  const left = places.filter(({ id }) => !refused.has(id));
  if (left.length === places.length) return { answer: "approve" };
  if (left.length === 0) return { answer: "reject", feedback: feedback.trim() };
  const answers: Extract<HumanAnswer, { answer: "decide" }>["answers"] = {};
  for (const write of writes) {
    const own = placesOf(write);
    const gone = own.filter(({ id }) => refused.has(id));
    answers[write.task] = gone.length === own.length ? "reject" : "accept";
    if (gone.length < own.length) for (const { id } of gone) answers[id] = "reject";
  }
  return { answer: "decide", answers };
}
