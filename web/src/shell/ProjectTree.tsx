import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useProject } from "../api/queries";
import type { Story } from "../api/story";
import { Asked, Empty } from "../parts/states";
import styles from "./ProjectTree.module.css";
import { at } from "./places";
import { rowsOf, rowsOfContent, type TreeRow } from "./tree";

const ROW = 30;

/** The parts and chapters of the book. */
export function ProjectTree({ project }: { project: string }) {
  return <Asked query={useProject(project)}>{(view) => <Tree project={project} story={view.story} />}</Asked>;
}

function Tree({ project, story }: { project: string; story: Story }) {
  const { t } = useTranslation();
  const [location, go] = useLocation();
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => (story.production ? rowsOfContent : rowsOf)(story, shut), [story, shut]);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 12,
  });
  if (rows.length === 0) return <Empty title={t("shell.empty_chapters")} />;

  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setActive(next);
    list.scrollToIndex(next);
  };
  const turn = (row: TreeRow, on: boolean) => {
    const next = new Set(shut);
    if (on) next.delete(row.id);
    else next.add(row.id);
    setShut(next);
  };
  const open = (row: TreeRow) => {
    if (row.isOpen !== undefined) turn(row, !row.isOpen);
    else go(addressOf(project, row));
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[active];
    if (!row || event.nativeEvent.isComposing) return;
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(active + 1),
      ArrowUp: () => move(active - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      Enter: () => open(row),
      " ": () => open(row),
      ArrowRight: () => (row.isOpen === false ? turn(row, true) : move(active + 1)),
      ArrowLeft: () => (row.isOpen ? turn(row, false) : move(parentOf(rows, active))),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  };
  return (
    <div
      ref={frame}
      className={styles.tree}
      role="tree"
      aria-label={t("shell.chapters")}
      tabIndex={0}
      aria-activedescendant={`tree-${rows[active]?.id}`}
      onKeyDown={press}
    >
      <div className={styles.rows} role="presentation" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const isHere = location === addressOf(project, row);
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the active row
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
            <div
              key={row.id}
              id={`tree-${row.id}`}
              role="treeitem"
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={row.isOpen}
              aria-selected={isHere}
              data-active={index === active}
              className={styles.row}
              style={{ transform: `translateY(${start}px)`, paddingLeft: row.level * 14 - 6 }}
              onClick={() => {
                setActive(index);
                open(row);
              }}
            >
              {row.isOpen === undefined ? (
                <span className={styles.mark} />
              ) : (
                <ChevronRight size={14} className={styles.mark} data-open={row.isOpen} aria-hidden />
              )}
              {row.number !== undefined && !isNumbered(row.title) && (
                <span className={styles.number}>{row.number}</span>
              )}
              <span className={`${styles.name} ${nameStyle(row)}`}>{row.title}</span>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function addressOf(project: string, row: TreeRow): string {
  const name = row.document ?? row.id;
  return row.kind === "field" ? at.field(project, name) : at.chapter(project, name);
}

/** Whether a title says the number itself, as “Chapter 3 …”. */
function isNumbered(title: string): boolean {
  return /^(\u7b2c.{1,9}[\u7ae0\u56de\u8282]|chapter\s)/i.test(title);
}

function nameStyle(row: TreeRow): string | undefined {
  if (row.kind === "part") return styles.part;
  return row.document === undefined ? styles.unwritten : undefined;
}

function parentOf(rows: readonly TreeRow[], index: number): number {
  const level = rows[index]?.level ?? 1;
  for (let above = index - 1; above >= 0; above--) {
    if ((rows[above]?.level ?? level) < level) return above;
  }
  return index;
}
