import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNames } from "./names";
import type { RunState } from "./state";

/** Says once, politely, what was finished while one looks at the run; a failure is an alert of its own. */
export function Announcer({ state }: { state: RunState }) {
  const { t } = useTranslation();
  const { agent, word } = useNames();
  const [words, say] = useState("");
  const last = useRef({ run: state.run, seq: state.seq, status: state.status });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new event is news
  useEffect(() => {
    const before = last.current;
    last.current = { run: state.run, seq: state.seq, status: state.status };
    // What was already there when one came is no news.
    if (before.run !== state.run || before.status !== "running") return;
    const event = state.feed.findLast((one) => one.seq > before.seq && isNews(one.kind));
    if (state.status === "waiting") say(t("runs.announce_waiting"));
    else if (state.status !== "running") {
      say(t("runs.announce_end", { status: t(`runs.status.${state.status}`) }));
    } else if (event?.kind === "agent_finished" || event?.kind === "subtask_finished") {
      say(t("runs.announce_done", { agent: agent(event.agent), summary: event.summary }));
    } else if (event?.kind === "chapter") {
      say(t("runs.announce_chapter", { chapter: event.chapter, stage: word("stage", event.step.step) }));
    }
  }, [state.seq, state.run]);
  return (
    <p className="unseen" role="status" aria-live="polite">
      {words}
    </p>
  );
}

function isNews(kind: string): boolean {
  return kind === "agent_finished" || kind === "subtask_finished" || kind === "chapter";
}
