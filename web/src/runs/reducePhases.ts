import type { EventOf } from "./events";
import type { FieldProgress, PhaseProgress, RunState } from "./state";

/** A phase of a production begins, or is gone through again. */
export function phaseBegun(state: RunState, event: EventOf<"phase">): RunState {
  const { phase, title, seq } = event;
  const rest = state.phases.filter((one) => one.phase !== phase);
  const known = state.phases.find((one) => one.phase === phase);
  return { ...state, phases: [...rest, { phase, title, seq, fields: known?.fields ?? [] }] };
}

/** Something happened to a field; it stands below the phase of its path. */
export function fieldTold(state: RunState, event: EventOf<"field">): RunState {
  const { path, title, step, seq } = event;
  const name = path.split("/")[0] ?? "";
  const field: FieldProgress = {
    path,
    title,
    status: step.step === "started" ? "running" : step.step === "made" ? "done" : step.step,
    version: step.step === "made" ? step.version : undefined,
    message: step.step === "failed" ? step.message : "",
  };
  const isThere = state.phases.some((one) => one.phase === name);
  const phases = isThere ? state.phases : [...state.phases, { phase: name, title: name, seq, fields: [] }];
  return { ...state, phases: phases.map((one) => (one.phase === name ? withField(one, field) : one)) };
}

function withField(phase: PhaseProgress, field: FieldProgress): PhaseProgress {
  const isKnown = phase.fields.some((one) => one.path === field.path);
  const fields = isKnown
    ? phase.fields.map((one) => (one.path === field.path ? field : one))
    : [...phase.fields, field];
  return { ...phase, fields };
}
