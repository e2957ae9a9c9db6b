import { Pencil, Plus, Trash2 } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Button } from "../parts/Button";
import { isComposing } from "../parts/composing";
import { useNumbers } from "../parts/numbers";
import { at } from "../shell/places";
import type { OutlineDesk } from "./desk";
import styles from "./Outline.module.css";
import type { OutlineRow } from "./outline";
import { PieceForm } from "./PieceForm";

/** How long the prose of a chapter is against what was planned; a way to the prose. */
export function Length({ project, row }: { project: string; row: OutlineRow }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const { node, written, document } = row;
  if (node.kind !== "chapter") return null;
  const goal = node.words ?? 0;
  const share = goal > 0 ? Math.min(1, (written ?? 0) / goal) : written ? 1 : 0;
  const told =
    document === undefined
      ? t("story.outline.unwritten")
      : goal > 0
        ? `${whole(written ?? 0)} / ${whole(goal)}`
        : t("common.characters", { count: written ?? 0 });
  return (
    <Link href={at.chapter(project, document ?? node.id)} className={styles.length} tabIndex={-1}>
      {told}
      <span className={styles.track}>
        <span style={{ width: `${share * 100}%` }} />
      </span>
    </Link>
  );
}

/** The name of a node, or the field in which it is renamed. */
export function NodeName({ row, desk }: { row: OutlineRow; desk: OutlineDesk }) {
  return desk.renaming === row.node.id ? (
    <Rename row={row} desk={desk} />
  ) : (
    <span className={styles.name}>{row.node.name}</span>
  );
}

function Rename({ row, desk }: { row: OutlineRow; desk: OutlineDesk }) {
  const { t } = useTranslation();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const leave = () => {
    field.current?.closest<HTMLElement>("[data-keys]")?.focus();
  };
  return (
    <input
      ref={field}
      className={styles.rename}
      aria-label={t("story.field.name")}
      defaultValue={row.node.name}
      onBlur={(event) => desk.renaming && desk.rename(row.node.id, event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (isComposing(event)) return;
        if (event.key === "Enter") leave();
        if (event.key === "Escape") {
          event.currentTarget.value = row.node.name;
          leave();
        }
      }}
    />
  );
}

/** What can be done with a node by mouse. */
export function NodeTools({ row, desk }: { row: OutlineRow; desk: OutlineDesk }) {
  const { t } = useTranslation();
  const [isAsked, ask] = useState(false);
  const { node } = row;
  if (isAsked) {
    return (
      <span className={styles.side}>
        <span role="alert">{t("story.delete_question", { name: node.name })}</span>
        <Button kind="danger" disabled={desk.isBusy} onClick={() => desk.remove(node.id)}>
          {t("common.delete")}
        </Button>
        <Button autoFocus onClick={() => ask(false)}>
          {t("common.cancel")}
        </Button>
      </span>
    );
  }
  const holdsChapters = node.kind === "act" || node.kind === "arc";
  const below = holdsChapters
    ? ("chapter" as const)
    : node.kind === "chapter"
      ? ("scene" as const)
      : undefined;
  const name = node.name;
  return (
    <span className={styles.tools}>
      {below && (
        <button
          type="button"
          className={styles.tool}
          title={t(`story.outline.add_${below}`)}
          aria-label={`${t(`story.outline.add_${below}`)}: ${name}`}
          onClick={() => desk.add(below, node)}
        >
          <Plus size={15} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className={styles.tool}
        title={t("common.edit")}
        aria-label={`${t("common.edit")}: ${name}`}
        aria-expanded={desk.editing === node.id}
        onClick={() => desk.edit(desk.editing === node.id ? undefined : node.id)}
      >
        <Pencil size={15} aria-hidden />
      </button>
      <button
        type="button"
        className={styles.tool}
        title={t("common.delete")}
        aria-label={`${t("common.delete")}: ${name}`}
        onClick={() => ask(true)}
      >
        <Trash2 size={15} aria-hidden />
      </button>
    </span>
  );
}

/** All fields of a node, where it stands. */
export function NodeForm({ project, row, desk }: { project: string; row: OutlineRow; desk: OutlineDesk }) {
  return (
    <PieceForm
      key={row.node.id}
      project={project}
      kind="outline_node"
      book={desk.book}
      piece={row.node}
      onDone={() => desk.edit(undefined)}
    />
  );
}
