import type { EventOf, RunEvent } from "./events";
import { chapterTold } from "./reduceChapters";
import { fieldTold, phaseBegun } from "./reducePhases";
import { actionBegun, agentBegun, agentDone, called, stopWork, subtaskDone, toolUsed } from "./reduceWork";
import { type PlanStep, type RunState, untouched } from "./state";

/** Events that are folded into what they belong to, and have no line of their own. */
const FOLDED: ReadonlySet<string> = new Set(["called", "tool_called", "step_started", "text"]);

/** The run after an event. An event that counted already, and streamed text, change nothing. */
export function reduce(state: RunState, event: RunEvent): RunState {
  if (event.kind === "text" || event.seq <= state.seq) return state;
  const next = told({ ...state, seq: event.seq, run: event.run, project: event.project }, event);
  return FOLDED.has(event.kind) ? next : { ...next, feed: [...next.feed, event] };
}

/** The run after all of these. */
export function reduceAll(events: readonly RunEvent[], state: RunState = untouched): RunState {
  return events.reduce(reduce, state);
}

function told(state: RunState, event: RunEvent): RunState {
  switch (event.kind) {
    case "run_started":
      return begun(state, event);
    case "planned":
      return planned(state, event);
    case "plan_adjusted":
      return { ...state, ...stepsOf(event.plan), planReasons: [...state.planReasons, event.reason] };
    case "agent_started":
      return agentBegun(state, event);
    case "agent_finished":
      return agentDone(state, event);
    case "task_split":
      return split(state, event);
    case "subtask_started":
      return agentBegun(state, { ...event, task: event.description, step: event.task });
    case "subtask_finished":
      return subtaskDone(state, event);
    case "step_started":
      return actionBegun(state, event);
    case "tool_called":
      return toolUsed(state, event);
    case "called":
      return called(state, event);
    case "reviewed":
      return reviewed(state, event);
    case "correction_planned":
      return corrected(state, event);
    case "chapter":
      return chapterTold(state, event);
    case "phase":
      return phaseBegun(state, event);
    case "field":
      return fieldTold(state, event);
    case "saved":
      return saved(state, event);
    case "warning":
      return { ...state, warnings: [...state.warnings, { seq: event.seq, message: event.message }] };
    case "waiting":
      return ended(
        { ...state, question: event.question, questionId: event.question_id ?? undefined },
        event,
        "waiting",
      );
    case "failed":
      return ended({ ...state, failure: event.failure }, event, "failed");
    case "interrupted":
      return ended(state, event, "interrupted");
    case "completed":
      return ended({ ...state, summary: event.summary }, event, event.summary.status);
    default:
      return state;
  }
}

function begun(state: RunState, event: EventOf<"run_started">): RunState {
  return {
    ...state,
    status: "running",
    requirement: event.requirement,
    model: event.model.model,
    from: state.from || event.at,
    to: undefined,
    attempts: [...state.attempts, { from: event.at, to: undefined }],
    question: undefined,
    questionId: undefined,
    failure: undefined,
    summary: undefined,
  };
}

function ended(state: RunState, event: RunEvent, status: RunState["status"]): RunState {
  const attempts = state.attempts.map((attempt) => (attempt.to ? attempt : { ...attempt, to: event.at }));
  const stopped = status === "waiting" ? state : stopWork(state, event.at);
  return { ...stopped, status, to: event.at, attempts };
}

function planned(state: RunState, event: EventOf<"planned">): RunState {
  const reasons = event.fallback ? [event.fallback] : [];
  return { ...state, ...stepsOf(event.plan), planReasons: [...(event.plan.reasoning ?? []), ...reasons] };
}

function stepsOf(plan: EventOf<"planned">["plan"]): Pick<RunState, "plan" | "steps"> {
  const steps = (plan.execution_plan.steps ?? []).map(
    (step): PlanStep => ({
      id: String(step.step_id ?? 0),
      agent: step.agent ?? "",
      task: step.task_description ?? "",
      needs: (step.dependencies ?? []).map(String),
      tokens: step.estimated_tokens,
      tools: step.required_tools ?? [],
    }),
  );
  return { plan, steps };
}

function split(state: RunState, event: EventOf<"task_split">): RunState {
  const steps = event.subtasks.map(
    (part): PlanStep => ({
      id: part.name ?? "",
      agent: part.agent ?? "",
      task: part.description ?? "",
      needs: part.depends_on ?? [],
      tokens: undefined,
      tools: [],
    }),
  );
  const planReasons = event.fallback ? [...state.planReasons, event.fallback] : state.planReasons;
  return { ...state, steps, planReasons, subtasks: event.subtasks };
}

function reviewed(state: RunState, event: EventOf<"reviewed">): RunState {
  const { seq, at, iteration, report } = event;
  const work = state.work.map((one) =>
    one.agent === "review_agent" && one.status === "running"
      ? { ...one, status: "done" as const, to: at }
      : one,
  );
  return { ...state, work, reviews: [...state.reviews, { seq, at, iteration, report }] };
}

function corrected(state: RunState, event: EventOf<"correction_planned">): RunState {
  const { seq, iteration, mode, agents, instructions } = event;
  return { ...state, corrections: [...state.corrections, { seq, iteration, mode, agents, instructions }] };
}

function saved(state: RunState, event: EventOf<"saved">): RunState {
  const { seq, at, version, pieces, agent } = event;
  const index = state.work.findLastIndex((one) => one.agent === agent && one.status === "running");
  const work = state.work.map((one, place) => (place === index ? { ...one, savedVersion: version } : one));
  return { ...state, work, saved: [...state.saved, { seq, at, version, pieces, agent }] };
}
