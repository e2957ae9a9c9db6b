import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "../parts/composing";
import type { OutlineDesk } from "./desk";
import { Length, NodeForm, NodeName, NodeTools } from "./NodeParts";
import styles from "./Outline.module.css";
import type { OutlineRow } from "./outline";
import { useDrag } from "./useDrag";

const WIDTH = 250;
const HEIGHT = 232;

/** A line of the wall: the name of a part, or cards side by side. */
type Line = { key: string; part?: OutlineRow; cards: OutlineRow[] };

/** Cards in lines of so many; each part begins a new line. */
export function linesOf(rows: readonly OutlineRow[], across: number): Line[] {
  const lines: Line[] = [];
  for (const row of rows) {
    if (row.node.kind === "scene") continue;
    const last = lines.at(-1);
    const isPart = row.node.kind === "book" || row.node.kind === "act" || row.node.kind === "arc";
    if (isPart) lines.push({ key: row.node.id, part: row, cards: [] });
    else if (last && !last.part && last.cards.length < across) last.cards.push(row);
    else lines.push({ key: row.node.id, cards: [row] });
  }
  return lines;
}

/** The outline as cards on a wall. */
export function Corkboard({ project, desk }: { project: string; desk: OutlineDesk }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const across = useAcross(frame);
  const drag = useDrag(desk, "x");
  const lines = linesOf(desk.rows, across);
  const cards = desk.rows.filter(({ node }) => node.kind !== "scene");
  const at = cards.findIndex(({ node }) => node.id === desk.active);
  const wall = useVirtualizer({
    count: lines.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (lines[index]?.part ? 52 : HEIGHT),
    getItemKey: (index) => lines[index]?.key ?? index,
    overscan: 3,
  });
  const press = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (isComposing(event)) return;
    const moves: Record<string, number> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -across,
      ArrowDown: across,
    };
    const by = moves[event.key];
    const id = desk.active;
    if (by !== undefined && event.altKey) desk.step(id, by < 0 ? "up" : "down");
    else if (by !== undefined) go(at + by);
    else if (event.key === "F2") desk.startRename(id);
    else if (event.key === "Enter") desk.edit(desk.editing === id ? undefined : id);
    else return;
    event.preventDefault();
  };
  const go = (index: number) => {
    const row = cards[Math.max(0, Math.min(cards.length - 1, index))];
    if (!row) return;
    desk.activate(row.node.id);
    wall.scrollToIndex(lines.findIndex((line) => line.part === row || line.cards.includes(row)));
  };
  const shared = { project, desk, drag };
  return (
    <div
      ref={frame}
      className={styles.wall}
      role="tree"
      aria-label={t("shell.nav.outline")}
      tabIndex={0}
      data-keys
      aria-activedescendant={cards[at] && `card-${desk.active}`}
      onKeyDown={press}
    >
      <div className={styles.rows} role="presentation" style={{ height: wall.getTotalSize() }}>
        {wall.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          if (!line) return null;
          const edited = line.cards.find(({ node }) => node.id === desk.editing) ?? editedPart(line, desk);
          return (
            <div
              key={line.key}
              ref={wall.measureElement}
              data-index={index}
              role="presentation"
              className={styles.line}
              style={{ transform: `translateY(${start}px)` }}
            >
              {line.part ? (
                <Part {...shared} row={line.part} />
              ) : (
                <div
                  className={styles.cards}
                  role="presentation"
                  style={{ gridTemplateColumns: `repeat(${across}, minmax(0, 1fr))` }}
                >
                  {line.cards.map((row) => (
                    <Card key={row.node.id} {...shared} row={row} />
                  ))}
                </div>
              )}
              {edited && <NodeForm project={project} row={edited} desk={desk} />}
            </div>
          );
        })}
      </div>
    </div>
  );
}

function editedPart(line: Line, desk: OutlineDesk): OutlineRow | undefined {
  return line.part?.node.id === desk.editing ? line.part : undefined;
}

type CardProps = { project: string; desk: OutlineDesk; drag: ReturnType<typeof useDrag>; row: OutlineRow };

function Part({ desk, drag, row }: CardProps) {
  const { id } = row.node;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the wall has the focus, and names the active card
    // biome-ignore lint/a11y/useKeyWithClickEvents: the wall takes the keys
    <div
      id={`card-${id}`}
      role="treeitem"
      aria-level={1}
      aria-selected={id === desk.active}
      className={styles.part}
      data-over={drag.overOf(id)}
      onClick={() => desk.activate(id)}
      {...drag.props(id, desk.editing !== id && desk.renaming !== id)}
    >
      <NodeName row={row} desk={desk} />
      <NodeTools row={row} desk={desk} />
    </div>
  );
}

function Card({ project, desk, drag, row }: CardProps) {
  const { node, number } = row;
  const { id } = node;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the wall has the focus, and names the active card
    // biome-ignore lint/a11y/useKeyWithClickEvents: the wall takes the keys
    <div
      id={`card-${id}`}
      role="treeitem"
      aria-level={1}
      aria-selected={id === desk.active}
      className={styles.card}
      data-active={id === desk.active}
      data-written={row.document !== undefined}
      data-dragged={drag.dragged === id}
      data-over={drag.overOf(id)}
      onClick={() => desk.activate(id)}
      {...drag.props(id, desk.editing !== id && desk.renaming !== id)}
    >
      <h3>
        <span>{number}</span>
        <NodeName row={row} desk={desk} />
      </h3>
      <p>{node.description}</p>
      <div className={styles.foot}>
        <NodeTools row={row} desk={desk} />
        <Length project={project} row={row} />
      </div>
    </div>
  );
}

/** How many cards fit side by side. */
function useAcross(frame: React.RefObject<HTMLDivElement | null>): number {
  const [across, setAcross] = useState(3);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const watch = new ResizeObserver(([entry]) => {
      if (entry) setAcross(Math.max(1, Math.floor(entry.contentRect.width / WIDTH)));
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [frame]);
  return across;
}
