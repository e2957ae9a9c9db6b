import dagre from "@dagrejs/dagre";
import type { RunState, WorkStatus } from "./state";

export const NODE = { width: 152, height: 58 };
/** The node that sends work back. */
export const SCHEDULER = "meta_scheduler";

export type PlanNode = {
  id: string;
  agent: string;
  task: string;
  status: WorkStatus;
  x: number;
  y: number;
};

export type PlanEdge = { id: string; from: string; to: string; isBack: boolean; isActive: boolean };

export type PlanGraph = { nodes: PlanNode[]; edges: PlanEdge[]; width: number; height: number };

/** The plan as a graph: what must be done before what, and how the review sends work back. */
export function graphOf(state: RunState): PlanGraph {
  const statuses = new Map(state.work.map((work) => [work.step, work.status]));
  const mending = new Map(
    state.work.filter((work) => work.step === undefined).map((work) => [work.agent, work.status]),
  );
  const running = (agent: string) => mending.get(agent) === "running";
  const steps = state.steps.map((step) => ({
    id: step.id,
    agent: step.agent,
    task: step.task,
    status: running(step.agent) ? ("running" as const) : (statuses.get(step.id) ?? "open"),
  }));
  const forward = withoutDetours(
    state.steps.flatMap((step) => step.needs.map((need) => [need, step.id] as const)),
  );
  const review = state.steps.find((step) => step.agent === "review_agent");
  const isSentBack = state.corrections.length > 0;
  const scheduler = review && {
    id: SCHEDULER,
    agent: SCHEDULER,
    task: "",
    status: isSentBack ? ("done" as const) : ("open" as const),
  };
  const all = scheduler ? [...steps, scheduler] : steps;
  const aside = review && scheduler ? [[review.id, scheduler.id] as const] : [];
  const { places, width, height } = placed(
    all.map((node) => node.id),
    [...forward, ...aside],
  );
  const status = new Map(all.map((node) => [node.id, node.status]));
  const edges: PlanEdge[] = [
    ...forward.map(([from, to]) => ({
      id: `${from}-${to}`,
      from,
      to,
      isBack: false,
      isActive: status.get(to) === "running",
    })),
    ...aside.map(([from, to]) => ({ id: `${from}-${to}`, from, to, isBack: true, isActive: isSentBack })),
    ...backward(state),
  ];
  return {
    nodes: all.map((node) => ({ ...node, ...(places.get(node.id) ?? { x: 0, y: 0 }) })),
    edges,
    width,
    height,
  };
}

/** From the scheduler to everyone who had to correct something. */
function backward(state: RunState): PlanEdge[] {
  const agents = new Set(state.corrections.flatMap((correction) => correction.agents));
  const last = new Set(state.corrections.at(-1)?.agents);
  return state.steps
    .filter((step) => agents.has(step.agent))
    .map((step) => ({
      id: `${SCHEDULER}-${step.id}`,
      from: SCHEDULER,
      to: step.id,
      isBack: true,
      isActive: last.has(step.agent),
    }));
}

type Edge = readonly [from: string, to: string];

/** The edges without those that lead where others lead already. */
export function withoutDetours(edges: readonly Edge[]): Edge[] {
  const next = new Map<string, string[]>();
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (next.get(from) ?? []).some((step) => {
      if (step === to) return true;
      if (seen.has(step)) return false;
      seen.add(step);
      return reaches(step, to, seen);
    });
  return edges.filter(
    ([from, to]) => !(next.get(from) ?? []).some((step) => step !== to && reaches(step, to)),
  );
}

function placed(ids: readonly string[], edges: readonly Edge[]) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: "TB", nodesep: 18, ranksep: 32, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(ids);
  for (const id of ids) graph.setNode(id, { ...NODE });
  for (const [from, to] of edges) if (known.has(from) && known.has(to)) graph.setEdge(from, to);
  dagre.layout(graph);
  const places = new Map(
    ids.map((id) => {
      const { x, y } = graph.node(id);
      return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
    }),
  );
  const { width = 0, height = 0 } = graph.graph();
  return { places, width, height };
}
