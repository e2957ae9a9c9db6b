import { create } from "zustand";
import type { ProjectAnswer as WholeAnswer } from "../api/schema";

/** What of an answer is shown. */
export type Answered = Pick<
  WholeAnswer,
  "answer" | "citations" | "holds" | "left_out" | "passages" | "read_by_model"
>;

/** A question that the author asked the book in this tab, and what came back. */
export type Asked = {
  id: string;
  at: string;
  question: string;
  answered: Answered | undefined;
  failure: unknown;
};

type Talk = {
  asked: Readonly<Record<string, readonly Asked[]>>;
  put(project: string, asked: Asked): void;
};

const KEPT = "qingyu.asked";
const MOST = 20;

export const useTalk = create<Talk>((set, get) => ({
  asked: kept(),
  put(project, one) {
    const before = get().asked[project] ?? [];
    const isKnown = before.some(({ id }) => id === one.id);
    const after = isKnown ? before.map((old) => (old.id === one.id ? one : old)) : [...before, one];
    const asked = { ...get().asked, [project]: after.slice(-MOST) };
    set({ asked });
    keep(asked);
  },
}));

/** Answers outlive a reload; what had no answer yet does not. */
function keep(asked: Talk["asked"]): void {
  const answered = Object.entries(asked).map(([project, all]) => [
    project,
    all.filter((one) => one.answered),
  ]);
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(answered)));
  } catch {
    // There is no room: the answers are seen until the tab is closed or loaded anew.
  }
}

function kept(): Talk["asked"] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Talk["asked"]) : {};
  } catch {
    return {};
  }
}
