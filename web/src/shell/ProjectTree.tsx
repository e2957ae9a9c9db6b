import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChapters, useProject } from "../api/queries";
import type { ChapterRow } from "../api/schema";
import type { Story } from "../api/story";
import { DeleteDialog, MoveDialog } from "../chapters/ChapterDialogs";
import { ChapterMenu } from "../chapters/ChapterMenu";
import { chaptersOf, nameOf } from "../chapters/list";
import { NewChapter } from "../chapters/NewChapter";
import { indexOf } from "../chapters/order";
import { useChapterEdits } from "../chapters/useChapterEdits";
import type { MenuPlace } from "../parts/Menu";
import { Asked, Empty } from "../parts/states";
import { BookMenu } from "./BookMenu";
import styles from "./ProjectTree.module.css";
import { Tree, type TreeEditing } from "./Tree";
import { rowsOf, rowsOfContent } from "./tree";

/** The chapters of a book, or the fields of a production. */
export function ProjectTree({ project }: { project: string }) {
  return (
    <Asked query={useProject(project)}>
      {({ story }) =>
        story.production ? (
          <Content project={project} story={story} />
        ) : (
          <Chapters project={project} story={story} />
        )
      }
    </Asked>
  );
}

type Props = { project: string; story: Story };

function Content({ project, story }: Props) {
  const { t } = useTranslation();
  const { shut, turn } = useShut();
  const rows = useMemo(() => rowsOfContent(story, shut), [story, shut]);
  return (
    <Framed>
      {rows.length === 0 ? (
        <Empty title={t("shell.empty_chapters")} />
      ) : (
        <Tree project={project} language={story.language} rows={rows} turn={turn} />
      )}
    </Framed>
  );
}

function Chapters({ project, story }: Props) {
  const query = useChapters(project);
  return (
    <Framed head={<BookMenu project={project} />} foot={<NewChapter project={project} />}>
      <Asked query={query}>
        {({ chapters }) => <ChapterTree project={project} story={story} chapters={chapters} />}
      </Asked>
    </Framed>
  );
}

type Shown =
  | { is: "menu"; name: string; at: MenuPlace }
  | { is: "rename" | "move" | "delete"; name: string }
  | undefined;

function ChapterTree({ project, story, chapters }: Props & { chapters: readonly ChapterRow[] }) {
  const { t } = useTranslation();
  const edits = useChapterEdits(project);
  const { shut, turn } = useShut();
  const [shown, show] = useState<Shown>();
  const frame = useRef<HTMLDivElement>(null);
  const rows = useMemo(() => rowsOf(chaptersOf(chapters, story), shut), [chapters, story, shut]);
  const close = useCallback(() => {
    show(undefined);
    frame.current?.querySelector<HTMLElement>('[role="tree"]')?.focus({ preventScroll: true });
  }, []);
  if (rows.length === 0) return <Empty title={t("shell.empty_chapters")} />;

  const row = shown && chapters.find((chapter) => nameOf(chapter) === shown.name);
  const ask = (is: "rename" | "move" | "delete") => (chapter: ChapterRow) =>
    show({ is, name: nameOf(chapter) });
  const editing: TreeEditing = {
    renamed: shown?.is === "rename" ? shown.name : undefined,
    rename: edits.rename,
    endRename: (isByKey) => (isByKey ? close() : show(undefined)),
    startRename: ask("rename"),
    askDelete: ask("delete"),
    openMenu: (chapter, at) => show({ is: "menu", name: nameOf(chapter), at }),
    step: (chapter, by) => void edits.step(chapter, by),
    drop: (chapter, target, side) => void edits.drop(chapter, target, side),
  };
  return (
    <div ref={frame} className={styles.frame}>
      <Tree project={project} language={story.language} rows={rows} turn={turn} editing={editing} />
      {row && shown.is === "menu" && (
        <ChapterMenu
          row={row}
          isFirst={indexOf(chapters, row) === 0}
          isLast={indexOf(chapters, row) === chapters.length - 1}
          at={shown.at}
          edits={edits}
          onRename={() => ask("rename")(row)}
          onMoveTo={() => ask("move")(row)}
          onDelete={() => ask("delete")(row)}
          onClose={close}
        />
      )}
      {row && shown.is === "move" && <MoveDialog row={row} edits={edits} onClose={close} />}
      {row && shown.is === "delete" && <DeleteDialog row={row} edits={edits} onClose={close} />}
    </div>
  );
}

/** The rows that are folded, and how one is opened or folded. */
function useShut() {
  const [shut, setShut] = useState<ReadonlySet<string>>(new Set());
  const turn = (id: string, isOpen: boolean) => {
    const next = new Set(shut);
    if (isOpen) next.delete(id);
    else next.add(id);
    setShut(next);
  };
  return { shut, turn };
}

type FramedProps = { head?: ReactNode; foot?: ReactNode; children: ReactNode };

function Framed({ head, foot, children }: FramedProps) {
  return (
    <div className={styles.framed}>
      {head}
      <div className={styles.frame}>{children}</div>
      {foot && <div className={styles.foot}>{foot}</div>}
    </div>
  );
}
