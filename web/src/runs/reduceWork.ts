import type { EventOf } from "./events";
import type { RunState, Work } from "./state";

type Beginning = {
  seq: number;
  at: string;
  agent: string;
  task: string;
  mode?: Work["mode"];
  step_id?: number | null;
  step?: string;
};

/** An agent begins; what it left unfinished before, because the run stopped, it does again. */
export function agentBegun(state: RunState, event: Beginning): RunState {
  const step = event.step ?? (event.step_id == null ? undefined : String(event.step_id));
  const begun: Work = {
    seq: event.seq,
    agent: event.agent,
    task: event.task,
    step,
    mode: event.mode,
    round: state.corrections.length,
    status: "running",
    from: event.at,
    to: undefined,
    actions: [],
    calls: [],
    tools: [],
    tokens: 0,
    summary: "",
    pieces: [],
    reasoning: [],
    savedVersion: undefined,
  };
  const isRepeated = (one: Work) =>
    one.status === "stopped" &&
    one.agent === begun.agent &&
    one.step === begun.step &&
    one.round === begun.round;
  return { ...state, work: [...state.work.filter((one) => !isRepeated(one)), begun] };
}

export function agentDone(state: RunState, event: EventOf<"agent_finished">): RunState {
  const { at, summary, pieces, reasoning = [] } = event;
  return changeRunning(state, event.agent, undefined, (one) => ({
    ...one,
    status: "done",
    to: at,
    summary,
    pieces,
    reasoning,
  }));
}

export function subtaskDone(state: RunState, event: EventOf<"subtask_finished">): RunState {
  const { at, summary } = event;
  const isBegun = state.work.some((one) => one.step === event.task);
  const begun = isBegun ? state : agentBegun(state, { ...event, task: event.task, step: event.task });
  return changeRunning(begun, event.agent, event.task, (one) => ({
    ...one,
    status: event.status,
    to: at,
    summary,
  }));
}

export function actionBegun(state: RunState, event: EventOf<"step_started">): RunState {
  return changeRunning(state, event.agent, event.task, (one) => ({
    ...one,
    actions: [...one.actions, event.description],
  }));
}

export function toolUsed(state: RunState, event: EventOf<"tool_called">): RunState {
  const use = { seq: event.seq, tool: event.tool, isSuccess: event.success, millis: event.millis };
  return changeRunning(state, event.agent, undefined, (one) => ({ ...one, tools: [...one.tools, use] }));
}

/** A call is counted once, by its key, however often it is told. */
export function called(state: RunState, event: EventOf<"called">): RunState {
  if (state.calls.has(event.key)) return state;
  const tokens = event.usage.input + event.usage.output;
  const { key, seq, agent, purpose, model, millis, at } = event;
  const call = { key, seq, agent, purpose, model, tokens, millis, at, chapter: event.chapter ?? undefined };
  const { tally } = state;
  const counted = {
    ...state,
    calls: new Map(state.calls).set(key, call),
    tally: {
      input: tally.input + event.usage.input,
      output: tally.output + event.usage.output,
      total: tally.total + tokens,
      calls: tally.calls + 1,
      micros:
        tally.micros === undefined || event.cost_micros == null
          ? undefined
          : tally.micros + event.cost_micros,
      isEstimated: tally.isEstimated || event.usage.estimated,
      byAgent: { ...tally.byAgent, [agent]: (tally.byAgent[agent] ?? 0) + tokens },
    },
  };
  return changeRunning(counted, agent, undefined, (one) => ({
    ...one,
    calls: [...one.calls, key],
    tokens: one.tokens + tokens,
  }));
}

/** What was being worked on when the run ended stands still. */
export function stopWork(state: RunState, at: string): RunState {
  const work = state.work.map((one) =>
    one.status === "running" ? { ...one, status: "stopped" as const, to: at } : one,
  );
  return { ...state, work };
}

/** Changes what that agent works on, if it works on anything. */
function changeRunning(
  state: RunState,
  agent: string,
  step: string | undefined,
  change: (work: Work) => Work,
): RunState {
  const index = state.work.findLastIndex(
    (one) => one.status === "running" && one.agent === agent && (step === undefined || one.step === step),
  );
  if (index < 0) return state;
  return { ...state, work: state.work.map((one, place) => (place === index ? change(one) : one)) };
}
