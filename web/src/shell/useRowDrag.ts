import { type DragEvent, useState } from "react";
import type { ChapterRow } from "../api/schema";
import type { Side } from "../chapters/order";
import type { TreeRow } from "./tree";

type Drop = ((moved: ChapterRow, target: ChapterRow, side: Side) => void) | undefined;

/** Native drag and drop of chapters in the tree; without `drop` nothing can be dragged. */
export function useRowDrag(drop: Drop) {
  const [dragged, setDragged] = useState<TreeRow>();
  const [over, setOver] = useState<{ id: string; side: Side }>();
  const end = () => {
    setDragged(undefined);
    setOver(undefined);
  };
  const sideAt = (event: DragEvent<HTMLElement>): Side => {
    const { top, height } = event.currentTarget.getBoundingClientRect();
    return event.clientY < top + height / 2 ? "before" : "after";
  };
  const mayDrop = (row: TreeRow) => dragged?.chapter && row.chapter && dragged.id !== row.id;
  return {
    sideOf: (row: TreeRow) => (over?.id === row.id ? over.side : undefined),
    props: (row: TreeRow) =>
      drop === undefined || row.chapter === undefined
        ? {}
        : {
            draggable: true,
            onDragStart: (event: DragEvent<HTMLElement>) => {
              event.dataTransfer.setData("text/plain", row.title);
              event.dataTransfer.effectAllowed = "move" as const;
              setDragged(row);
            },
            onDragOver: (event: DragEvent<HTMLElement>) => {
              if (!mayDrop(row)) return;
              event.preventDefault();
              const side = sideAt(event);
              if (over?.id !== row.id || over.side !== side) setOver({ id: row.id, side });
            },
            onDrop: (event: DragEvent<HTMLElement>) => {
              event.preventDefault();
              if (dragged?.chapter && row.chapter && mayDrop(row)) {
                drop(dragged.chapter, row.chapter, sideAt(event));
              }
              end();
            },
            onDragEnd: end,
          },
  };
}
