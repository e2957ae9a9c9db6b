import { type RefObject, useEffect } from "react";

const KEPT = "qingyu.scroll";
/** The number of pages whose positions are kept. */
const MOST = 60;
/** How long a page may take to load until its position is no longer restored, in milliseconds. */
const PATIENCE = 5_000;
const STEP = 100;

/** The scroll position of each scrolled element of a page, by its path below the frame. */
export type Positions = Readonly<Record<string, number>>;

/** Returns the path of an element below a frame, such as `0/2`; `undefined` outside of it. */
export function pathOf(frame: Element, element: Element): string | undefined {
  const steps: number[] = [];
  for (let at: Element = element; at !== frame; ) {
    const parent: Element | null = at.parentElement;
    if (!parent) return undefined;
    steps.unshift([...parent.children].indexOf(at));
    at = parent;
  }
  return steps.join("/");
}

/** The element at a path below a frame. */
export function elementAt(frame: Element, path: string): Element | undefined {
  if (path === "") return frame;
  return path
    .split("/")
    .reduce<Element | undefined>((element, step) => element?.children[Number(step)], frame);
}

/** The positions with one noted; the page that was left longest ago is forgotten if there are too many. */
export function noted(
  all: Readonly<Record<string, Positions>>,
  page: string,
  path: string,
  top: number,
): Record<string, Positions> {
  const { [page]: before, ...others } = all;
  const names = Object.keys(others);
  const kept = names.slice(Math.max(0, names.length - MOST + 1)).map((name) => [name, others[name] ?? {}]);
  return { ...Object.fromEntries(kept), [page]: { ...before, [path]: Math.round(top) } };
}

function read(): Record<string, Positions> {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {};
  }
}

/** Keeps the scroll positions of each page within a frame, and restores them when the page is opened or loaded again. */
export function useKeptScroll(frame: RefObject<HTMLElement | null>, page: string): void {
  useEffect(() => {
    const root = frame.current;
    if (!root) return;
    const waiting = new Map(Object.entries(read()[page] ?? {}).filter(([, top]) => top > 0));
    const deadline = Date.now() + PATIENCE;
    const restore = () => {
      for (const [path, top] of waiting) {
        const element = elementAt(root, path);
        if (!element || element.scrollHeight - element.clientHeight < top) continue;
        // A page that has scrolled to a place of its own stays there.
        if (element.scrollTop === 0) element.scrollTop = top;
        waiting.delete(path);
      }
      if (waiting.size === 0 || Date.now() > deadline) clearInterval(timer);
    };
    const timer = setInterval(restore, STEP);
    restore();
    const leave = () => clearInterval(timer);
    let pending: ReturnType<typeof setTimeout> | undefined;
    const keep = (event: Event) => {
      const element = event.target;
      if (!(element instanceof Element)) return;
      clearTimeout(pending);
      pending = setTimeout(() => {
        const path = pathOf(root, element);
        if (path === undefined) return;
        try {
          sessionStorage.setItem(KEPT, JSON.stringify(noted(read(), page, path, element.scrollTop)));
        } catch {
          // Without room in the browser the position is not kept.
        }
      }, STEP);
    };
    // An author who scrolls or types while the page loads has chosen another place.
    const acts = ["wheel", "touchmove", "keydown", "pointerdown"] as const;
    for (const act of acts) root.addEventListener(act, leave, { passive: true });
    root.addEventListener("scroll", keep, { capture: true, passive: true });
    return () => {
      clearInterval(timer);
      clearTimeout(pending);
      for (const act of acts) root.removeEventListener(act, leave);
      root.removeEventListener("scroll", keep, { capture: true });
    };
  }, [frame, page]);
}
