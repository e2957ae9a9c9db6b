import { create } from "zustand";

type Line = { isLost: boolean };

/** Whether the server answered last time. */
export const useLine = create<Line>(() => ({ isLost: false }));

/** Notes whether the server answered a request. */
export function heard(isAnswered: boolean): void {
  if (useLine.getState().isLost === isAnswered) useLine.setState({ isLost: !isAnswered });
}
