import "@xyflow/react/dist/style.css";
import {
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  type ReactFlowInstance,
} from "@xyflow/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type PlanGraph as Graph, NODE, type PlanNode, SCHEDULER } from "../layout";
import { useNames } from "../names";
import { Dot } from "../Status";
import styles from "./PlanSection.module.css";

type StepNode = Node<{ step: PlanNode; isChosen: boolean }, "step">;

type Props = { graph: Graph; chosen: string | undefined; onPick(step: string): void };

const nodeTypes = { step: Step };
const TALLEST = 620;
/** What is free beside and around the graph. */
const ROOM = { width: 62, height: 44 };
/** At the left is room for what is sent back. */
const FIT = { padding: { top: "14px", right: "16px", bottom: "26px", left: "46px" }, maxZoom: 1 } as const;

/** The plan as a picture; each agent in the colour of its state, what is sent back dashed. */
export function PlanGraph({ graph, chosen, onPick }: Props) {
  const { t } = useTranslation();
  const { agent, word } = useNames();
  const flow = useRef<ReactFlowInstance<StepNode, Edge>>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [width, measure] = useState(400);
  const nodes = graph.nodes.map(
    (step): StepNode => ({
      id: step.id,
      type: "step",
      position: { x: step.x, y: step.y },
      data: { step, isChosen: step.id === chosen },
      width: NODE.width,
      height: NODE.height,
      ariaLabel: `${agent(step.agent)} · ${word("work", step.status)} · ${step.task}`,
    }),
  );
  const edges = useMemo(() => edgesOf(graph), [graph]);
  useEffect(() => {
    if (!frame.current) return;
    const watcher = new ResizeObserver(([seen]) => {
      if (seen) measure(seen.contentRect.width);
      void flow.current?.fitView(FIT);
    });
    watcher.observe(frame.current);
    return () => watcher.disconnect();
  }, []);
  const scale = Math.min(1, (width - ROOM.width) / graph.width);
  return (
    <div
      ref={frame}
      className={styles.graph}
      style={{ height: Math.min(TALLEST, graph.height * scale + ROOM.height) }}
      role="group"
      aria-label={t("runs.page.graph")}
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        onInit={(instance) => {
          flow.current = instance;
        }}
        onNodeClick={(_, node) => onPick(node.id)}
        onNodesChange={(changes) => {
          for (const change of changes) if (change.type === "select" && change.selected) onPick(change.id);
        }}
        fitView
        fitViewOptions={FIT}
        minZoom={0.3}
        maxZoom={1.5}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        zoomOnScroll={false}
        preventScrolling={false}
        zoomOnDoubleClick={false}
      />
    </div>
  );
}

/** How far beside the graph the way back leads. */
const ASIDE = 18;

function edgesOf({ nodes, edges }: Graph): Edge[] {
  const places = new Map(nodes.map((node) => [node.id, node.x]));
  const leftmost = Math.min(...places.values());
  return edges.map((edge) => {
    const ends = [places.get(edge.from) ?? leftmost, places.get(edge.to) ?? leftmost];
    return edgeOf(edge, Math.min(...ends) - leftmost + ASIDE);
  });
}

function edgeOf({ id, from, to, isBack, isActive }: Graph["edges"][number], offset: number): Edge {
  const isReturn = from === SCHEDULER;
  const color = isBack ? "var(--amber)" : isActive ? "var(--feather)" : "var(--dim)";
  return {
    id,
    source: from,
    target: to,
    type: "smoothstep",
    ...(isReturn ? { sourceHandle: "out-left", targetHandle: "in-left", pathOptions: { offset } } : {}),
    animated: isActive && !isBack,
    style: {
      stroke: color,
      strokeWidth: isActive ? 1.8 : 1.2,
      opacity: isBack && !isActive ? 0.5 : 0.9,
      ...(isBack ? { strokeDasharray: "5 5" } : {}),
    },
    markerEnd: { type: MarkerType.ArrowClosed, color, width: 14, height: 14 },
  };
}

function Step({ data }: NodeProps<StepNode>) {
  const { agent } = useNames();
  const { step, isChosen } = data;
  return (
    <div className={styles.node} data-status={step.status} data-chosen={isChosen}>
      <Handle type="target" position={Position.Top} className={styles.handle} isConnectable={false} />
      <Dot status={step.status} />
      <strong>{agent(step.agent)}</strong>
      {step.task && <small>{step.task}</small>}
      <Handle type="source" position={Position.Bottom} className={styles.handle} isConnectable={false} />
      <Handle
        id="out-left"
        type="source"
        position={Position.Left}
        className={styles.handle}
        isConnectable={false}
      />
      <Handle
        id="in-left"
        type="target"
        position={Position.Left}
        className={styles.handle}
        isConnectable={false}
      />
    </div>
  );
}
