import type { OutlineNodeKind } from "../api/schema";
import type { OutlineNode, Story } from "../api/story";
import { chaptersOf } from "./book";
import { type Branch, branches, isWithin } from "./branches";

/** A row of the outline. */
export type OutlineRow = {
  node: OutlineNode;
  level: number;
  /** The number that readers see, for chapters. */
  number: number | undefined;
  /** The length of its prose; none if it has no prose. */
  written: number | undefined;
  /** The id of its prose. */
  document: string | undefined;
  /** Whether anything is below it, and shown. */
  isOpen: boolean | undefined;
  position: number;
  siblings: number;
};

/** The outline's rows in reading order, without what is below those that are shut. */
export function outlineRows(
  story: Story,
  shut: ReadonlySet<string>,
  lengthOf: (document: string) => number | undefined,
): OutlineRow[] {
  const chapters = new Map(
    chaptersOf(story).flatMap((chapter) => (chapter.node ? [[chapter.node.id, chapter]] : [])),
  );
  const rows: OutlineRow[] = [];
  const walk = (siblings: readonly Branch[], level: number) => {
    siblings.forEach(({ node, below }, index) => {
      const chapter = chapters.get(node.id);
      const document = chapter?.document?.id;
      const isOpen = below.length > 0 ? !shut.has(node.id) : undefined;
      rows.push({
        node,
        level,
        number: chapter?.number,
        written: document === undefined ? undefined : lengthOf(document),
        document,
        isOpen,
        position: index + 1,
        siblings: siblings.length,
      });
      if (isOpen) walk(below, level + 1);
    });
  };
  walk(branches(story.outline_nodes), 1);
  return rows;
}

/** Whether one kind may stand below another; nothing is the top. */
export function mayHold(parent: OutlineNodeKind | undefined, kind: OutlineNodeKind): boolean {
  if (parent === undefined) return kind !== "scene" && kind !== "arc";
  if (parent === "act") return kind === "arc" || kind === "chapter";
  return (parent === "arc" && kind === "chapter") || (parent === "chapter" && kind === "scene");
}

export type Way = "up" | "down" | "in" | "out";

/** The outline after a step of a node with its branch; nothing if there is no way. */
export function stepped(nodes: readonly OutlineNode[], id: string, way: Way): OutlineNode[] | undefined {
  const top = branches(nodes);
  const path = pathTo(top, id);
  const branch = path?.at(-1);
  if (!path || !branch) return undefined;
  const parent = path.at(-2);
  const siblings = parent?.below ?? top;
  const uncles = path.at(-3)?.below ?? top;
  const at = siblings.indexOf(branch);
  const step = way === "up" ? -1 : 1;
  const put = (into: Branch | undefined, index: number) => moved(top, branch, into, index);
  if (way === "in") {
    const before = siblings[at - 1];
    return before && mayHold(before.node.kind, branch.node.kind)
      ? put(before, before.below.length)
      : undefined;
  }
  if (way === "out") {
    if (!parent || !mayHold(path.at(-3)?.node.kind, branch.node.kind)) return undefined;
    return put(path.at(-3), uncles.indexOf(parent) + 1);
  }
  if (siblings[at + step]) return put(parent, at + step);
  const uncle = parent && uncles[uncles.indexOf(parent) + step];
  if (!uncle || !mayHold(uncle.node.kind, branch.node.kind)) return undefined;
  return put(uncle, way === "up" ? uncle.below.length : 0);
}

export type Drop = "before" | "after" | "into";

/** The outline after a node was dropped on another; nothing if it cannot stand there. */
export function dropped(
  nodes: readonly OutlineNode[],
  id: string,
  onto: string,
  drop: Drop,
): OutlineNode[] | undefined {
  const top = branches(nodes);
  const branch = pathTo(top, id)?.at(-1);
  const path = pathTo(top, onto);
  const goal = path?.at(-1);
  if (!branch || !goal || isWithin(goal, branch)) return undefined;
  if (drop === "into") {
    return mayHold(goal.node.kind, branch.node.kind)
      ? moved(top, branch, goal, goal.below.length)
      : undefined;
  }
  const parent = path?.at(-2);
  if (!mayHold(parent?.node.kind, branch.node.kind)) return undefined;
  const siblings = (parent?.below ?? top).filter((other) => other !== branch);
  return moved(top, branch, parent, siblings.indexOf(goal) + (drop === "after" ? 1 : 0));
}

function pathTo(siblings: readonly Branch[], id: string): Branch[] | undefined {
  for (const branch of siblings) {
    if (branch.node.id === id) return [branch];
    const path = pathTo(branch.below, id);
    if (path) return [branch, ...path];
  }
  return undefined;
}

/** Takes a branch out of the tree and puts it below `parent` at `index`; everything is numbered anew. */
function moved(top: Branch[], branch: Branch, parent: Branch | undefined, index: number): OutlineNode[] {
  const cut = (siblings: readonly Branch[]): Branch[] =>
    siblings
      .filter((other) => other !== branch)
      .map((other) => ({ node: other.node, below: cut(other.below) }));
  const rest = cut(top);
  const into = parent ? pathTo(rest, parent.node.id)?.at(-1)?.below : rest;
  into?.splice(index, 0, { ...branch, node: { ...branch.node, parent: parent?.node.id ?? null } });
  const flat: OutlineNode[] = [];
  const walk = (siblings: readonly Branch[]) => {
    for (const { node, below } of siblings) {
      flat.push({ ...node, order: flat.length + 1 });
      walk(below);
    }
  };
  walk(rest);
  return flat;
}

/** The prose whose place in reading order is no longer that of its chapter, with the place that it should have. */
export function misplaced(story: Story): { document: string; order: number }[] {
  const written = chaptersOf(story).flatMap(({ node, document }) => (node && document ? [document] : []));
  const inBook = written.filter(({ order }) => order > 0);
  const orders = inBook.map(({ order }) => order).sort((a, b) => a - b);
  return inBook.flatMap(({ id, order }, index) => {
    const wanted = orders[index] ?? order;
    return wanted === order ? [] : [{ document: id, order: wanted }];
  });
}
