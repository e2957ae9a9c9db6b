import type { OutlineNode, Story } from "../api/story";

/** A row of the project's tree. */
export type TreeRow = {
  id: string;
  level: number;
  kind: "part" | "chapter";
  /** The number that readers see, for chapters. */
  number: number | undefined;
  title: string;
  /** The id of its prose, if it has any. */
  document: string | undefined;
  /** Whether rows are below it, and shown. */
  isOpen: boolean | undefined;
  position: number;
  siblings: number;
};

/**
 * The outline's parts and chapters as rows, in reading order, without what is below a part in `shut`; then chapters
 * whose prose has no place in the outline.
 */
export function rowsOf(story: Story, shut: ReadonlySet<string>): TreeRow[] {
  const { outline_nodes: nodes, documents } = story;
  const written = new Map(documents.flatMap((d) => (d.outline_node ? [[d.outline_node, d] as const] : [])));
  const below = new Map<string | null, OutlineNode[]>();
  for (const node of nodes) {
    if (node.kind === "scene") continue;
    const parent = node.parent ?? null;
    const siblings = below.get(parent);
    if (siblings) siblings.push(node);
    else below.set(parent, [node]);
  }
  for (const siblings of below.values()) siblings.sort((a, b) => a.order - b.order);
  const numbers = chapterNumbers(below);
  const rows: TreeRow[] = [];
  const walk = (parent: string | null, level: number) => {
    const siblings = below.get(parent) ?? [];
    siblings.forEach((node, index) => {
      const document = written.get(node.id);
      const isPart = node.kind === "act";
      const isOpen = isPart ? !shut.has(node.id) : undefined;
      rows.push({
        id: node.id,
        level,
        kind: isPart ? "part" : "chapter",
        number: numbers.get(node.id),
        title: document?.title || node.name,
        document: document?.id,
        isOpen,
        position: index + 1,
        siblings: siblings.length,
      });
      if (isOpen !== false) walk(node.id, level + 1);
    });
  };
  walk(null, 1);
  const known = new Set(nodes.map((node) => node.id));
  const loose = documents.filter((d) => !d.outline_node || !known.has(d.outline_node));
  loose.sort((a, b) => a.order - b.order);
  loose.forEach((d, index) => {
    rows.push({
      id: d.id,
      level: 1,
      kind: "chapter",
      number: d.order,
      title: d.title,
      document: d.id,
      isOpen: undefined,
      position: index + 1,
      siblings: loose.length,
    });
  });
  return rows;
}

/** Chapters are numbered through the book, across its parts. */
function chapterNumbers(below: ReadonlyMap<string | null, OutlineNode[]>): Map<string, number> {
  const numbers = new Map<string, number>();
  const walk = (parent: string | null) => {
    for (const node of below.get(parent) ?? []) {
      if (node.kind === "chapter") numbers.set(node.id, numbers.size + 1);
      walk(node.id);
    }
  };
  walk(null);
  return numbers;
}
