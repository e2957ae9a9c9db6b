import { useQuery } from "@tanstack/react-query";
import { EditorContent } from "@tiptap/react";
import { type MouseEvent, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../api/queries";
import type { Document, ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { useDates } from "../parts/dates";
import { useShortcut } from "../shell/shortcuts";
import { useBook } from "../story/book";
import type { Neighbours } from "./Around";
import { Bar } from "./Bar";
import { BookPanel } from "./BookPanel";
import styles from "./ChapterEditor.module.css";
import { ChapterHead, type Tool } from "./ChapterHead";
import { ConflictBar } from "./ConflictBar";
import type { Chapter } from "./chapters";
import { hunks } from "./compare";
import { Draft } from "./Draft";
import { FindBar } from "./FindBar";
import { FindingHover } from "./FindingHover";
import { FindingsStrip } from "./FindingsStrip";
import { HistoryPanel } from "./HistoryPanel";
import { followCaret, keyOf, suggestionKeys } from "./keys";
import { type LookedUp, NameCard } from "./NameCard";
import { ReferenceList } from "./ReferenceList";
import { SelectionMenu } from "./SelectionMenu";
import { SuggestionBar } from "./SuggestionBar";
import { suggest } from "./suggestions";
import { LONGEST, textOf } from "./text";
import { tidy } from "./tidy";
import { type Editing, hasAgents, type Opened, useEditing } from "./useEditing";
import { useFindings } from "./useFindings";
import { useReferences } from "./useReferences";
import { loadText } from "./wire";

type Props = {
  view: ProjectView;
  chapter: Chapter;
  document: Document;
  around: Neighbours;
  opened: Opened;
};

const OFTEN = 4_000;

/** A chapter, to be written. */
export function ChapterEditor({ view, chapter, document, around, opened }: Props) {
  const { t } = useTranslation();
  const { project } = view.project;
  const language = view.story.language === "en" ? "en" : "zh";
  const [tool, setTool] = useState<Tool>();
  const [note, setNote] = useState<string>();
  const press = useRef<(event: KeyboardEvent) => boolean>(() => false);
  const editing = useEditing({
    project,
    document: document.id,
    title: chapter.title,
    language,
    opened,
    onKey: (event) => press.current(event),
  });
  const found = useFindings(editing, project, document.id);
  const book = useBook(view.story);
  const referencing = useReferences(editing, book);
  const [looked, look] = useState<LookedUp>();
  const lookUp = () => {
    const name = referencing.atCaret();
    look(name);
    setNote(name ? undefined : t("write.references.none"));
  };
  const keyed = suggestionKeys(editing, found.step);
  press.current = (event) => {
    if (referencing.press(event)) return true;
    const key = keyOf(event);
    if (key) followCaret(editing.editor.view);
    if (key === "who") {
      lookUp();
      return true;
    }
    if (key !== "save") return keyed(key);
    void editing.keeper.flush();
    return true;
  };
  useOthers(editing, project, document.id);
  useShortcut(
    "f",
    useCallback(() => setTool("find"), []),
  );
  useTitle(chapter.title);

  const isLong = opened.text.length > LONGEST;
  const arrange = () => {
    const wanted = tidy(textOf(editing.editor.state.doc));
    const changes = hunks(textOf(editing.editor.state.doc), wanted, language);
    setNote(changes.length === 0 ? t("write.tidy_nothing") : undefined);
    if (changes.length > 0 && !hasAgents(editing.editor)) {
      editing.queue.push((state) => suggest(state, hunks(textOf(state.doc), wanted, language), "tidy"));
    }
  };
  const close = () => {
    setTool(undefined);
    editing.editor.commands.focus(undefined, { scrollIntoView: false });
  };
  return (
    <section className={styles.page} aria-label={chapter.title}>
      <ChapterHead
        project={project}
        chapter={chapter}
        around={around}
        language={language}
        editing={editing}
        tool={tool}
        isLong={isLong}
        onTool={(chosen) => setTool(chosen === tool ? undefined : chosen)}
        onTidy={arrange}
      />
      {isLong && <Bar tone="waiting">{t("write.too_long", { most: LONGEST })}</Bar>}
      <Restored editing={editing} opened={opened} />
      <ConflictBar editing={editing} language={language} />
      <SuggestionBar editing={editing} />
      {note && (
        <Bar>
          <span role="status">{note}</span>
          <Button onClick={() => setNote(undefined)}>{t("common.close")}</Button>
        </Bar>
      )}
      {tool === "find" && <FindBar editing={editing} onBook={() => setTool("book")} onClose={close} />}
      <div className={styles.body}>
        <div className={styles.scroll} data-scroll>
          <h1 className={styles.title} lang={language === "zh" ? "zh-CN" : language}>
            {chapter.title}
          </h1>
          <FindingsStrip project={project} chapter={chapter} found={found} />
          <EditorContent editor={editing.editor} />
          <Draft project={project} number={chapter.number} />
          <div className={styles.foot} aria-hidden onMouseDown={(event) => toEnd(event, editing)} />
        </div>
        {tool === "history" && (
          <HistoryPanel
            project={project}
            document={document.id}
            language={language}
            editing={editing}
            onClose={close}
          />
        )}
        {tool === "book" && <BookPanel view={view} here={document.id} editing={editing} onClose={close} />}
      </div>
      <FindingHover project={project} chapter={chapter} found={found} editing={editing} />
      <SelectionMenu editing={editing} nameOf={() => referencing.atCaret()?.reference} onLookUp={lookUp} />
      <ReferenceList referencing={referencing} />
      {looked && (
        <NameCard
          key={looked.reference.name}
          project={project}
          book={book}
          chapter={chapter.number}
          looked={looked}
          onClose={() => {
            look(undefined);
            editing.editor.commands.focus(undefined, { scrollIntoView: false });
          }}
        />
      )}
    </section>
  );
}

/** A click below the text goes to its end, as on paper. */
function toEnd(event: MouseEvent, { editor }: Editing): void {
  event.preventDefault();
  if (editor.view.composing) return;
  editor.commands.focus("end");
}

function useTitle(title: string): void {
  useEffect(() => {
    window.document.title = `${title} · Qingyu`;
  }, [title]);
}

/** What others write meanwhile. */
function useOthers({ keeper }: Editing, project: string, document: string): void {
  const { data } = useQuery({
    queryKey: [...keys.chapter(project, document), "text"],
    queryFn: () => loadText(project, document),
    refetchInterval: OFTEN,
  });
  useEffect(() => {
    if (data) keeper.seen(data);
  }, [data, keeper]);
}

/** The author learns that an unsaved text came back. */
function Restored({ editing, opened: { draft, text, version } }: { editing: Editing; opened: Opened }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  const [isOpen, setOpen] = useState(draft !== undefined && draft.version === version);
  if (!isOpen || !draft) return null;
  return (
    <Bar>
      <span role="status">{t("write.restored", { when: ago(new Date(draft.at).toISOString()) })}</span>
      <Button onClick={() => setOpen(false)}>{t("write.restored_keep")}</Button>
      <Button
        onClick={() => {
          editing.rewrite(text);
          setOpen(false);
        }}
      >
        {t("write.restored_drop")}
      </Button>
    </Bar>
  );
}
