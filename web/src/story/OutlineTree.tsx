import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "../parts/composing";
import type { OutlineDesk } from "./desk";
import { Length, NodeForm, NodeName, NodeTools } from "./NodeParts";
import styles from "./Outline.module.css";
import type { OutlineRow, Way } from "./outline";
import { useDrag } from "./useDrag";

const ROW = 92;
const ways: Record<string, Way> = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "out", ArrowRight: "in" };

type Props = { project: string; desk: OutlineDesk };

/** The outline as a tree. */
export function OutlineTree({ project, desk }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const { rows, active } = desk;
  const drag = useDrag(desk, "y");
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    getItemKey: (index) => rows[index]?.node.id ?? index,
    overscan: 6,
  });
  const at = rows.findIndex(({ node }) => node.id === active);
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at);
  }, [at, list]);
  const go = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row) desk.activate(row.node.id);
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[at] ?? rows[0];
    if (event.target !== event.currentTarget || !row) return;
    if (isComposing(event)) return;
    const { id } = row.node;
    const way = ways[event.key];
    const steps: Record<string, () => void> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => (row.isOpen === false ? desk.turn(id, true) : go(at + 1)),
      ArrowLeft: () => (row.isOpen ? desk.turn(id, false) : go(parentOf(rows, at))),
      Enter: () => desk.edit(desk.editing === id ? undefined : id),
      F2: () => desk.startRename(id),
    };
    const step = event.altKey && way ? () => desk.step(id, way) : steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <div
      ref={frame}
      className={styles.frame}
      role="tree"
      aria-label={t("shell.nav.outline")}
      tabIndex={0}
      data-keys
      aria-activedescendant={rows[at] && `node-${active}`}
      onKeyDown={press}
    >
      <div className={styles.rows} role="presentation" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const { id } = row.node;
          const isEdited = desk.editing === id || desk.renaming === id;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the active row
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
            <div
              key={id}
              ref={list.measureElement}
              data-index={index}
              id={`node-${id}`}
              role="treeitem"
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={row.isOpen}
              aria-selected={id === active}
              data-kind={row.node.kind}
              data-active={id === active}
              data-dragged={drag.dragged === id}
              data-over={drag.overOf(id)}
              className={styles.row}
              style={{ transform: `translateY(${start}px)`, paddingLeft: row.level * 18 - 14 }}
              onClick={() => desk.activate(id)}
              onDoubleClick={(event) => !isEdited && event.detail === 2 && desk.edit(id)}
              {...drag.props(id, !isEdited)}
            >
              <Row project={project} desk={desk} row={row} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

function Row({ project, desk, row }: Props & { row: OutlineRow }) {
  const { t } = useTranslation();
  const { node } = row;
  return (
    <>
      {row.isOpen === undefined ? (
        <span />
      ) : (
        <button
          type="button"
          className={styles.chevron}
          data-open={row.isOpen}
          tabIndex={-1}
          aria-label={node.name}
          onClick={() => desk.turn(node.id, !row.isOpen)}
        >
          <ChevronRight size={15} aria-hidden />
        </button>
      )}
      <span className={styles.number}>{row.number}</span>
      <NodeName row={row} desk={desk} />
      <span className={styles.side}>
        <Length project={project} row={row} />
        <NodeTools row={row} desk={desk} />
      </span>
      {desk.editing === node.id ? (
        <div className={styles.form}>
          <NodeForm project={project} row={row} desk={desk} />
        </div>
      ) : (
        <>
          {node.description && <span className={styles.about}>{node.description}</span>}
          <span className={styles.meta}>
            {node.goal && <span>{t("story.outline.goal", { goal: node.goal })}</span>}
            {node.participants.length > 0 && <span>{node.participants.join(" · ")}</span>}
            {node.location && <span>@ {node.location}</span>}
          </span>
        </>
      )}
    </>
  );
}

function parentOf(rows: readonly OutlineRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above--) if ((rows[above]?.level ?? level) < level) return above;
  return index;
}
