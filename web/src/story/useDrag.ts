import { type DragEvent, useState } from "react";
import type { OutlineDesk } from "./desk";
import type { Drop } from "./outline";

type Over = { id: string; drop: Drop };

/** Which part of a thing the pointer is over; the middle counts if something may be put into it. */
export function partAt(share: number, mayHold: boolean): Drop {
  if (mayHold && share > 0.3 && share < 0.7) return "into";
  return share < 0.5 ? "before" : "after";
}

/** Native drag and drop of nodes, along an axis. */
export function useDrag(desk: OutlineDesk, axis: "x" | "y") {
  const [dragged, drag] = useState<string>();
  const [over, setOver] = useState<Over>();
  const end = () => {
    drag(undefined);
    setOver(undefined);
  };
  const dropAt = (event: DragEvent<HTMLElement>, id: string): Drop | undefined => {
    if (dragged === undefined || dragged === id) return undefined;
    const box = event.currentTarget.getBoundingClientRect();
    const share =
      axis === "y" ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width;
    const wanted = partAt(share, desk.mayDrop(dragged, id, "into"));
    if (desk.mayDrop(dragged, id, wanted)) return wanted;
    return desk.mayDrop(dragged, id, "into") ? "into" : undefined;
  };
  return {
    dragged,
    overOf: (id: string) => (over?.id === id ? over.drop : undefined),
    props: (id: string, isDraggable: boolean) => ({
      draggable: isDraggable,
      onDragStart: (event: DragEvent<HTMLElement>) => {
        event.dataTransfer.setData("text/plain", id);
        event.dataTransfer.effectAllowed = "move" as const;
        drag(id);
      },
      onDragOver: (event: DragEvent<HTMLElement>) => {
        const drop = dropAt(event, id);
        if (drop) event.preventDefault();
        if (over?.id !== id || over.drop !== drop) setOver(drop && { id, drop });
      },
      onDrop: (event: DragEvent<HTMLElement>) => {
        event.preventDefault();
        const drop = dropAt(event, id);
        if (dragged !== undefined && drop) desk.drop(dragged, id, drop);
        end();
      },
      onDragEnd: end,
    }),
  };
}
