import type { OutlineNode } from "../api/story";

/** A node of the outline with what is below it. */
export type Branch = { node: OutlineNode; below: Branch[] };

/** The outline as a tree, siblings in order; what names a parent that is not there stands at the top. */
export function branches(nodes: readonly OutlineNode[]): Branch[] {
  const all = new Map(nodes.map((node) => [node.id, { node, below: [] as Branch[] }]));
  const byName = new Map(nodes.map((node) => [node.name, node.id]));
  const top: Branch[] = [];
  const inOrder = [...nodes].sort((a, b) => a.order - b.order);
  for (const node of inOrder) {
    const branch = all.get(node.id);
    if (!branch) continue;
    const parent = node.parent ? (all.get(node.parent) ?? all.get(byName.get(node.parent) ?? "")) : undefined;
    if (parent && !isWithin(parent, branch)) parent.below.push(branch);
    else top.push(branch);
  }
  return top;
}

/** Whether a branch is another one or below it. */
export function isWithin(branch: Branch, other: Branch): boolean {
  return branch === other || other.below.some((below) => isWithin(branch, below));
}
