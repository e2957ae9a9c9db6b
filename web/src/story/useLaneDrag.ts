import { type DragEvent, useMemo, useRef, useState } from "react";
import type { Lane, LanePlace } from "./bookLanes";

type Over = { key: string; side: "before" | "after" | "end" };

export type LaneDrag = ReturnType<typeof useLaneDrag>;

/** Native drag and drop of chapters within and between lanes. */
export function useLaneDrag(drop: (name: string, to: LanePlace) => void) {
  const dragged = useRef<string>(undefined);
  const [over, setOver] = useState<Over>();
  const latest = useRef(drop);
  latest.current = drop;
  // The handlers stay the same, so that only the cards under the pointer are drawn again.
  const handlers = useMemo(() => {
    const mark = (key: string, side: Over["side"]) =>
      setOver((now) => (now?.key === key && now.side === side ? now : { key, side }));
    const end = () => {
      dragged.current = undefined;
      setOver(undefined);
    };
    const sideAt = (event: DragEvent<HTMLElement>) => {
      const { left, width } = event.currentTarget.getBoundingClientRect();
      return event.clientX < left + width / 2 ? "before" : "after";
    };
    const put = (event: DragEvent<HTMLElement>, to: LanePlace) => {
      event.preventDefault();
      event.stopPropagation();
      const name = dragged.current;
      end();
      if (name !== undefined) latest.current(name, to);
    };
    return {
      card: (lane: Lane, name: string) => ({
        draggable: true,
        onDragStart: (event: DragEvent<HTMLElement>) => {
          event.dataTransfer.setData("text/plain", name);
          event.dataTransfer.effectAllowed = "move" as const;
          dragged.current = name;
        },
        onDragOver: (event: DragEvent<HTMLElement>) => {
          if (dragged.current === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          mark(name, sideAt(event));
        },
        onDrop: (event: DragEvent<HTMLElement>) => {
          const others = lane.cards.filter((card) => card.name !== dragged.current);
          const at = others.findIndex((card) => card.name === name);
          if (at === -1) return end();
          put(event, { lane, index: sideAt(event) === "before" ? at : at + 1 });
        },
        onDragEnd: end,
      }),
      lane: (lane: Lane) => ({
        onDragOver: (event: DragEvent<HTMLElement>) => {
          if (dragged.current === undefined) return;
          event.preventDefault();
          mark(lane.key, "end");
        },
        onDrop: (event: DragEvent<HTMLElement>) => {
          const others = lane.cards.filter((card) => card.name !== dragged.current);
          put(event, { lane, index: others.length });
        },
      }),
    };
  }, []);
  return { ...handlers, sideOf: (key: string) => (over?.key === key ? over.side : undefined) };
}
