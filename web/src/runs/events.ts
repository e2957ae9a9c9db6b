import type { StudioEvent } from "../api/schema";

type Envelope = {
  /** The place in the run's log. */
  seq: number;
  at: string;
  run: string;
  project: string;
};

/** One thing that happened in a run. */
export type RunEvent = Envelope & Extract<StudioEvent, { kind: string }>;

/** What happened, without when and where. */
export type RunEventKind = RunEvent["kind"];

/** An event of one kind. */
export type EventOf<Kind extends RunEventKind> = Extract<RunEvent, { kind: Kind }>;
