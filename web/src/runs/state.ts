import type {
  CorrectionInstruction,
  DiagnosticReport,
  FailureRecord as Failure2,
  Plan,
  RunQuestion as Question,
  RunStatus,
  RunSummary,
  Subtask,
  Verdict,
  WorkMode,
} from "../api/schema";
import type { RunEvent } from "./events";

/** How far a piece of work is. */
export type WorkStatus = "open" | "running" | "done" | "failed" | "skipped" | "stopped";

/** A paid question to a model. */
export type Call = {
  key: string;
  seq: number;
  agent: string;
  purpose: string;
  model: string;
  tokens: number;
  millis: number;
  at: string;
  chapter: number | undefined;
};

export type ToolUse = { seq: number; tool: string; isSuccess: boolean; millis: number };

/** What one agent did in one go. */
export type Work = {
  /** The event that began it: its name within the run. */
  seq: number;
  agent: string;
  task: string;
  /** The step of the plan, or the part of a task. */
  step: string | undefined;
  mode: WorkMode | undefined;
  /** The correction round, from 0 for the first time through. */
  round: number;
  status: WorkStatus;
  from: string;
  to: string | undefined;
  actions: string[];
  calls: string[];
  tools: ToolUse[];
  tokens: number;
  summary: string;
  pieces: string[];
  /** How it came to that, a line each. */
  reasoning: string[];
  savedVersion: number | undefined;
};

/** A part of what is to be done, and what must be done before it. */
export type PlanStep = {
  id: string;
  agent: string;
  task: string;
  needs: string[];
  tokens: number | undefined;
  tools: string[];
};

export type Review = { seq: number; at: string; iteration: number; report: DiagnosticReport };

export type Correction = {
  seq: number;
  iteration: number;
  mode: string;
  agents: string[];
  instructions: CorrectionInstruction[];
};

/** How far a chapter is. */
export type ChapterStage = "started" | "planned" | "written" | "reviewed" | "fixed" | "accepted" | "settled";

export type ChapterProgress = {
  chapter: number;
  title: string;
  task: string;
  stage: ChapterStage | "briefed";
  from: string;
  to: string | undefined;
  scenes: string[];
  words: number;
  score: number | undefined;
  verdict: Verdict | undefined;
  fixed: number;
  isForced: boolean;
  version: number | undefined;
};

export type FieldProgress = {
  path: string;
  title: string;
  status: "running" | "done" | "failed" | "kept";
  version: number | undefined;
  message: string;
};

export type PhaseProgress = { phase: string; title: string; seq: number; fields: FieldProgress[] };

/** A version of the project that a run made. */
export type SavedVersion = { seq: number; at: string; version: number; pieces: number; agent: string };

/** What is counted over the calls of a run. */
export type Tally = {
  input: number;
  output: number;
  total: number;
  calls: number;
  /** In millionths of the price's currency; none once the price of a call is unknown. */
  micros: number | undefined;
  isEstimated: boolean;
  byAgent: Readonly<Record<string, number>>;
};

/** A run as far as its events tell it. */
export type RunState = {
  run: string;
  project: string;
  /** The last event that counted. */
  seq: number;
  status: RunStatus;
  requirement: string;
  model: string;
  from: string;
  to: string | undefined;
  /** When it worked: from its beginnings to its ends, in order. */
  attempts: { from: string; to: string | undefined }[];
  plan: Plan | undefined;
  planReasons: string[];
  steps: PlanStep[];
  subtasks: Subtask[];
  work: Work[];
  calls: ReadonlyMap<string, Call>;
  tally: Tally;
  reviews: Review[];
  corrections: Correction[];
  chapters: ChapterProgress[];
  /** How many chapters the run has. */
  chapterCount: number;
  phases: PhaseProgress[];
  saved: SavedVersion[];
  warnings: { seq: number; message: string }[];
  question: Question | undefined;
  questionId: string | undefined;
  summary: RunSummary | undefined;
  failure: Failure2 | undefined;
  /** What is told line by line; calls and tools stand in the work they belong to. */
  feed: RunEvent[];
};

export const untouched: RunState = {
  run: "",
  project: "",
  seq: 0,
  status: "running",
  requirement: "",
  model: "",
  from: "",
  to: undefined,
  attempts: [],
  plan: undefined,
  planReasons: [],
  steps: [],
  subtasks: [],
  work: [],
  calls: new Map(),
  tally: { input: 0, output: 0, total: 0, calls: 0, micros: 0, isEstimated: false, byAgent: {} },
  reviews: [],
  corrections: [],
  chapters: [],
  chapterCount: 0,
  phases: [],
  saved: [],
  warnings: [],
  question: undefined,
  questionId: undefined,
  summary: undefined,
  failure: undefined,
  feed: [],
};
