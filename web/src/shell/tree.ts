import type { OutlineNode, Story } from "../api/story";

/** A row of the project's tree. */
export type TreeRow = {
  id: string;
  level: number;
  kind: "part" | "chapter" | "field";
  /** The number that readers see, for chapters. */
  number: number | undefined;
  title: string;
  /** The id of its prose, if it has any; the path of a field. */
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
  const { outline_nodes: nodes, documents } = byIds(story);
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
  const loose = documents.filter((d) => !d.outline_node);
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

/** Nodes are named by their id or by their name; one that is not there is none. */
function byIds({ outline_nodes, documents }: Story): Pick<Story, "outline_nodes" | "documents"> {
  const ids = new Map(outline_nodes.map(({ name, id }) => [name, id]));
  for (const { id } of outline_nodes) ids.set(id, id);
  const idOf = (name: string | null | undefined) => (name ? (ids.get(name) ?? null) : null);
  return {
    outline_nodes: outline_nodes.map((node) => ({ ...node, parent: idOf(node.parent) })),
    documents: documents.map((document) => ({ ...document, outline_node: idOf(document.outline_node) })),
  };
}

/** The phases of a production with their fields, without those of a phase in `shut`. */
export function rowsOfContent({ production, fields }: Story, shut: ReadonlySet<string>): TreeRow[] {
  const phases = production?.phases ?? [];
  return phases.flatMap((phase, index): TreeRow[] => {
    // A field that stands for a list has its entries beside it.
    const made = fields.filter((field) => field.phase === phase.name && !field.each);
    const isOpen = !shut.has(phase.name);
    const head = {
      id: phase.name,
      level: 1,
      kind: "part",
      title: phase.title || phase.name,
      isOpen,
    } as const;
    const shared = { number: undefined, document: undefined };
    const rows = made.map(
      (field, place): TreeRow => ({
        id: field.path,
        level: 2,
        kind: "field",
        number: undefined,
        title: field.title,
        document: field.path,
        isOpen: undefined,
        position: place + 1,
        siblings: made.length,
      }),
    );
    return [{ ...head, ...shared, position: index + 1, siblings: phases.length }, ...(isOpen ? rows : [])];
  });
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
