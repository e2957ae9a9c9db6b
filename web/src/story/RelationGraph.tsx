import "@xyflow/react/dist/style.css";
import {
  Background,
  BackgroundVariant,
  BaseEdge,
  Controls,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from "@xyflow/react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Character } from "../api/story";
import { type Bond, type Chosen, colours, dashes, keyOf, tone } from "./bonds";
import { between, PERSON } from "./edges";
import { layout, type Point } from "./layout";
import { Medallion } from "./parts";
import styles from "./Relations.module.css";
import { useBondWord } from "./siblings";

type Person = Node<{ project: string; character: Character; isFaint: boolean; isChosen: boolean }, "person">;
type Line = Edge<{ a: Point; b: Point }, "bond">;

const nodeTypes = { person: PersonNode };
const edgeTypes = { bond: BondEdge };

type Props = {
  project: string;
  characters: readonly Character[];
  /** Every line there ever is: what stands where does not change with the chapter. */
  all: readonly Bond[];
  /** The lines that are shown. */
  lines: readonly Bond[];
  faint: ReadonlySet<string>;
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen | undefined) => void;
};

/** The cast and what is between them. */
export function RelationGraph({ project, characters, all, lines, faint, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const wordOf = useBondWord(characters);
  const ids = useMemo(() => characters.map(({ id }) => id), [characters]);
  const places = useMemo(() => layout(ids, all), [ids, all]);
  const nodes = useMemo(
    () =>
      characters.map(
        (character): Person => ({
          ...PERSON,
          id: character.id,
          type: "person",
          origin: [0.5, 0.5],
          position: places.get(character.id) ?? { x: 0, y: 0 },
          ariaLabel: `${character.name}, ${t(`story.role.${character.role_type}`)}`,
          data: {
            project,
            character,
            isFaint: faint.has(character.id),
            isChosen: chosen?.kind === "person" && chosen.id === character.id,
          },
        }),
      ),
    [project, characters, places, faint, chosen, t],
  );
  const edges = useMemo(() => {
    const names = new Map(characters.map(({ id, name }) => [id, name]));
    return lines.map((line): Line => {
      const isChosen = chosen?.kind === "bond" && chosen.key === keyOf(line);
      const isFaint = faint.has(line.from) || faint.has(line.to);
      const stroke = colours[tone(line.kind)];
      const label = wordOf(line);
      const nowhere = { x: 0, y: 0 };
      return {
        id: keyOf(line),
        source: line.from,
        target: line.to,
        type: "bond",
        label,
        ariaLabel: `${names.get(line.from)} ${label} ${names.get(line.to)}`,
        data: { a: places.get(line.from) ?? nowhere, b: places.get(line.to) ?? nowhere },
        style: {
          stroke,
          strokeWidth: (isChosen ? 2.5 : 1) + 2 * line.strength,
          strokeDasharray: dashes[tone(line.kind)],
          opacity: isFaint ? 0.35 : 1,
        },
        labelStyle: { fill: "var(--ink)", fontSize: 12, fontWeight: isChosen ? 700 : 400 },
        ...(line.isDirected ? { markerEnd: { type: MarkerType.ArrowClosed, color: stroke } } : {}),
      };
    });
  }, [characters, lines, places, faint, chosen, wordOf]);
  return (
    <div className={styles.graph}>
      <ReactFlow
        key={characters.length}
        nodes={nodes}
        edges={edges}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        fitView
        fitViewOptions={{ padding: 0.12, maxZoom: 1.1 }}
        minZoom={0.15}
        nodesDraggable={false}
        nodesConnectable={false}
        deleteKeyCode={null}
        onNodeClick={(_, { id }) => onChoose({ kind: "person", id })}
        onEdgeClick={(_, { id }) => onChoose({ kind: "bond", key: id })}
        onPaneClick={() => onChoose(undefined)}
        onNodesChange={(changes) => {
          const change = changes.find((each) => each.type === "select" && each.selected);
          if (change?.type === "select") onChoose({ kind: "person", id: change.id });
        }}
        onEdgesChange={(changes) => {
          const change = changes.find((each) => each.type === "select" && each.selected);
          if (change?.type === "select") onChoose({ kind: "bond", key: change.id });
        }}
      >
        <Background variant={BackgroundVariant.Dots} gap={22} color="var(--line)" />
        <Controls showInteractive={false} aria-label={t("story.relations.controls")} />
      </ReactFlow>
    </div>
  );
}

function PersonNode({ data: { project, character, isFaint, isChosen } }: NodeProps<Person>) {
  return (
    <div className={styles.person} data-faint={isFaint} data-chosen={isChosen}>
      <Handle type="target" position={Position.Top} className={styles.handle} isConnectable={false} />
      <Medallion
        project={project}
        card={character.id}
        name={character.name}
        role={character.role_type}
        isListed
      />
      <span>
        <strong>{character.name}</strong>
        {character.occupation && <small>{character.occupation}</small>}
      </span>
      <Handle type="source" position={Position.Top} className={styles.handle} isConnectable={false} />
    </div>
  );
}

function BondEdge({ id, data, label, labelStyle, style, markerEnd }: EdgeProps<Line>) {
  if (!data) return null;
  const { from, to, middle } = between(data.a, data.b);
  return (
    <BaseEdge
      id={id}
      path={`M${from.x} ${from.y}L${to.x} ${to.y}`}
      label={label}
      labelX={middle.x}
      labelY={middle.y}
      labelStyle={labelStyle}
      labelBgStyle={{ fill: "var(--paper)" }}
      labelBgPadding={[6, 2]}
      labelBgBorderRadius={8}
      interactionWidth={24}
      style={style}
      markerEnd={markerEnd}
    />
  );
}
