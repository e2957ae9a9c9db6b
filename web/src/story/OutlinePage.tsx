import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { OutlineNodeKind } from "../api/schema";
import type { OutlineNode, ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Page } from "../parts/Page";
import { Empty, Failed } from "../parts/states";
import { useStart } from "../shelf/actions";
import { useBook } from "./book";
import { Corkboard } from "./Corkboard";
import type { OutlineDesk } from "./desk";
import { OfBook } from "./OfBook";
import styles from "./Outline.module.css";
import { OutlineTree } from "./OutlineTree";
import { type Drop, dropped, mayHold, outlineRows, stepped, type Way } from "./outline";
import { Bar, Choice } from "./parts";
import { useEdit } from "./tools";
import { useAddNode, useLengths, useOrder } from "./useOutline";

/** The plan of the book as a tree or as cards on a wall. */
export default function OutlinePage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found view={view} at={rest} />}</OfBook>;
}

function Found({ view, at }: { view: ProjectView; at: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const [look, setLook] = useState<"tree" | "cards">("tree");
  const [said, say] = useState("");
  const desk = useDesk(view, at, say);
  const start = useStart();
  const isEmpty = view.story.outline_nodes.length === 0;
  const isLong = view.story.outline_nodes.some(({ kind, chapters }) => kind === "arc" && chapters);
  const add = (kind: OutlineNodeKind) => desk.add(kind);
  return (
    <Page
      title={t("shell.nav.outline")}
      isWide
      actions={
        <>
          <Choice
            label={t("story.look")}
            value={look}
            options={[
              ["tree", t("story.outline.tree")],
              ["cards", t("story.outline.cards")],
            ]}
            onChange={setLook}
          />
          {isLong && (
            <Button
              disabled={start.isPending}
              onClick={() =>
                start.mutate({ kind: "write", project, task: { kind: "plan", until: { by: "next" } } })
              }
            >
              {t("story.outline.plan_next")}
            </Button>
          )}
          <Button onClick={() => add("act")}>{t("story.outline.add_act")}</Button>
          <Button kind={isEmpty ? "main" : undefined} onClick={() => add("chapter")}>
            {t("story.outline.add_chapter")}
          </Button>
        </>
      }
    >
      {desk.error !== null && <Failed error={desk.error} />}
      {start.error && <Failed error={start.error} />}
      {isEmpty && (
        <Empty title={t("story.outline.empty")}>
          <Button kind="main" onClick={() => add("chapter")}>
            {t("story.outline.add_chapter")}
          </Button>
        </Empty>
      )}
      {!isEmpty && (
        <>
          <Bar>
            <p className={styles.hint}>{t("story.outline.hint")}</p>
            <span role="status" className="unseen">
              {said}
            </span>
          </Bar>
          {look === "tree" ? (
            <OutlineTree project={project} desk={desk} />
          ) : (
            <Corkboard project={project} desk={desk} />
          )}
        </>
      )}
    </Page>
  );
}

/** Everything that both looks of the outline know and can do. */
function useDesk(view: ProjectView, at: string | undefined, say: (words: string) => void): OutlineDesk {
  const { t } = useTranslation();
  const { project } = view.project;
  const { story } = view;
  const book = useBook(story);
  const lengthOf = useLengths(story);
  const order = useOrder(view);
  const addition = useAddNode(project);
  const edit = useEdit(project);
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState(at ?? story.outline_nodes[0]?.id ?? "");
  const [editing, setEditing] = useState<string>();
  const [renaming, setRenaming] = useState<string>();
  const rows = useMemo(() => outlineRows(story, shut, lengthOf), [story, shut, lengthOf]);
  const put = (nodes: OutlineNode[] | undefined, id: string) => {
    if (!nodes) return;
    order.mutate(nodes);
    setActive(id);
    const name = nodes.find((node) => node.id === id)?.name ?? "";
    const place = nodes.findIndex((node) => node.id === id) + 1;
    say(t("story.outline.moved", { name, place }));
  };
  return {
    book,
    rows,
    active,
    editing,
    renaming,
    error: order.error ?? addition.error ?? edit.error,
    isBusy: edit.isPending || addition.isPending,
    activate: setActive,
    edit: setEditing,
    startRename: setRenaming,
    turn(id, isOpen) {
      const next = new Set(shut);
      if (isOpen) next.delete(id);
      else next.add(id);
      setShut(next);
    },
    rename(id, name) {
      setRenaming(undefined);
      const before = story.outline_nodes.find((node) => node.id === id)?.name;
      const words = name.trim();
      if (words === "" || words === before) return;
      edit.mutate({ action: "update", kind: "outline_node", id, data: { name: words } });
    },
    remove: (id) => edit.mutate({ action: "delete", kind: "outline_node", id }),
    step: (id: string, way: Way) => put(stepped(story.outline_nodes, id, way), id),
    drop: (id: string, onto: string, drop: Drop) => put(dropped(story.outline_nodes, id, onto, drop), id),
    mayDrop: (id, onto, drop) => dropped(story.outline_nodes, id, onto, drop) !== undefined,
    add(kind, below) {
      const parent =
        below ?? parentFor(rows.find(({ node }) => node.id === active)?.node, kind, story.outline_nodes);
      const last =
        parent && rows.filter(({ node }) => node.id === parent.id || node.parent === parent.id).at(-1)?.node;
      const name = t(`story.outline.new_${kind}`);
      const after = last?.id;
      addition.mutate(
        { name, kind, ...(parent ? { parent: parent.id } : {}), ...(after ? { after } : {}) },
        {
          onSuccess: ({ outline_node: made }) => {
            const id = typeof made === "object" && made && "id" in made ? String(made.id) : "";
            setActive(id);
            setRenaming(id);
          },
        },
      );
    },
  };
}

/** What a new node stands below: the active node or what holds that, if it may hold it. */
function parentFor(
  active: OutlineNode | undefined,
  kind: OutlineNodeKind,
  nodes: readonly OutlineNode[],
): OutlineNode | undefined {
  let node = active;
  while (node) {
    if (mayHold(node.kind, kind)) return node;
    const parent = node.parent;
    node = nodes.find(({ id, name }) => id === parent || name === parent);
  }
  return undefined;
}
