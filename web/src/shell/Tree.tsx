import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { ChapterRow } from "../api/schema";
import type { Side } from "../chapters/order";
import { isComposing } from "../parts/composing";
import type { MenuPlace } from "../parts/Menu";
import styles from "./ProjectTree.module.css";
import { at } from "./places";
import { useShell } from "./state";
import { TreeItem } from "./TreeItem";
import { parentOf, type TreeRow } from "./tree";
import { useRowDrag } from "./useRowDrag";

/** The actions on the chapters of the tree. */
export type TreeEditing = {
  /** The chapter whose title is being edited. */
  renamed: string | undefined;
  rename(chapter: ChapterRow, title: string): void;
  startRename(chapter: ChapterRow): void;
  endRename(isByKey: boolean): void;
  askDelete(chapter: ChapterRow): void;
  openMenu(chapter: ChapterRow, at: MenuPlace): void;
  step(chapter: ChapterRow, by: 1 | -1): void;
  drop(chapter: ChapterRow, target: ChapterRow, side: Side): void;
};

type Props = {
  project: string;
  /** The language of the book. */
  language: string;
  rows: readonly TreeRow[];
  turn(id: string, isOpen: boolean): void;
  editing?: TreeEditing;
};

const ROW = 30;
const TOUCHED = 44;

/**
 * The rows as a tree with one tab stop: arrow keys choose a row and Enter opens it. Of a chapter, F2 edits the title, Alt
 * with an arrow moves it, Delete asks, and Shift+F10 opens its menu, which the Tab key reaches as well.
 */
export function Tree({ project, language, rows, turn, editing }: Props) {
  const { t } = useTranslation();
  const [location, go] = useLocation();
  const see = useShell((shell) => shell.see);
  const [active, setActive] = useState<string>();
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRowDrag(editing?.drop);
  const height = matchMedia("(pointer: coarse)").matches ? TOUCHED : ROW;
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 12,
  });
  const open = rows.findIndex((row) => location === addressOf(project, row));
  const here = rows[open]?.id;
  // The open chapter is the active row, and in sight, wherever it moves.
  useEffect(() => {
    if (here === undefined) return;
    setActive(here);
    if (open >= 0) list.scrollToIndex(open);
  }, [here, open, list]);
  const chosen = Math.max(
    0,
    rows.findIndex(({ id }) => id === active),
  );

  const move = (to: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, to));
    setActive(rows[next]?.id);
    list.scrollToIndex(next);
  };
  const enter = (row: TreeRow) => {
    if (row.isOpen !== undefined) turn(row.id, !row.isOpen);
    else {
      go(addressOf(project, row));
      see("middle");
    }
  };
  const openMenu = (row: TreeRow, place?: MenuPlace) => {
    if (!row.chapter || !editing) return;
    setActive(row.id);
    const box = document.getElementById(elementId(row))?.getBoundingClientRect();
    editing.openMenu(row.chapter, place ?? { left: (box?.left ?? 0) + 24, top: box?.bottom ?? 0 });
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[chosen];
    if (!row || isComposing(event)) return;
    // The button of a row answers to its own keys.
    if (event.target instanceof HTMLButtonElement || event.target instanceof HTMLInputElement) return;
    const { chapter } = row;
    const steps: Record<string, () => void> = {
      ArrowDown: () => move(chosen + 1),
      ArrowUp: () => move(chosen - 1),
      Home: () => move(0),
      End: () => move(rows.length - 1),
      Enter: () => enter(row),
      " ": () => enter(row),
      ArrowRight: () => (row.isOpen === false ? turn(row.id, true) : move(chosen + 1)),
      ArrowLeft: () => (row.isOpen ? turn(row.id, false) : move(parentOf(rows, chosen))),
    };
    const ofChapter: Record<string, () => void> =
      chapter && editing
        ? {
            F2: () => editing.startRename(chapter),
            Delete: () => editing.askDelete(chapter),
            ContextMenu: () => openMenu(row),
            "Shift+F10": () => openMenu(row),
            "Alt+ArrowUp": () => editing.step(chapter, -1),
            "Alt+ArrowDown": () => editing.step(chapter, 1),
          }
        : {};
    const { altKey, ctrlKey, metaKey, shiftKey, key } = event;
    if (ctrlKey || metaKey) return;
    const name = `${altKey ? "Alt+" : ""}${shiftKey ? "Shift+" : ""}${key}`;
    const step = ofChapter[name] ?? steps[name];
    if (!step) return;
    event.preventDefault();
    step();
  };
  const context = (event: MouseEvent) => {
    const item = event.target instanceof Element ? event.target.closest("[role=treeitem]") : null;
    const row = item ? rows.find((row) => elementId(row) === item.id) : rows[chosen];
    if (!row?.chapter || !editing || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    openMenu(row, item ? { left: event.clientX, top: event.clientY } : undefined);
  };
  return (
    <div
      ref={frame}
      className={styles.tree}
      role="tree"
      aria-label={t("shell.chapters")}
      tabIndex={0}
      aria-activedescendant={rows[chosen] && elementId(rows[chosen])}
      onKeyDown={press}
      onContextMenu={context}
    >
      <div className={styles.rows} role="presentation" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus, and names the active row
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
            <div
              key={row.id}
              id={elementId(row)}
              aria-labelledby={`${elementId(row)}-name`}
              role="treeitem"
              aria-level={row.level}
              aria-posinset={row.position}
              aria-setsize={row.siblings}
              aria-expanded={row.isOpen}
              aria-selected={row.id === here}
              data-active={index === chosen}
              data-over={drag.sideOf(row)}
              className={styles.row}
              style={{ transform: `translateY(${start}px)`, height, paddingLeft: row.level * 14 - 6 }}
              onClick={() => {
                setActive(row.id);
                if (row.isOpen !== undefined) enter(row);
              }}
              {...drag.props(row)}
            >
              <TreeItem
                row={row}
                nameId={`${elementId(row)}-name`}
                href={addressOf(project, row)}
                isHere={row.id === here}
                isActive={index === chosen}
                language={language}
                editing={editing}
                onFollow={() => see("middle")}
                onMenu={(place) => openMenu(row, place)}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Ids have no spaces, which titles of volumes may have. */
function elementId(row: TreeRow): string {
  return `tree-${encodeURIComponent(row.id)}`;
}

function addressOf(project: string, row: TreeRow): string {
  return row.kind === "field" ? at.field(project, row.id) : at.chapter(project, row.id);
}
