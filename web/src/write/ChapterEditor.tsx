import { useQuery } from "@tanstack/react-query";
import { EditorContent } from "@tiptap/react";
import { type MouseEvent, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../api/queries";
import type { Document, ProjectView } from "../api/story";
import type { Chapter } from "../chapters/list";
import { splitPoint } from "../chapters/split";
import { useChapterState } from "../chapters/state";
import { Button } from "../parts/Button";
import { useDates } from "../parts/dates";
import { useShortcut } from "../shell/shortcuts";
import { useShell } from "../shell/state";
import { useBook } from "../story/book";
import type { Neighbours } from "./Around";
import { Bar } from "./Bar";
import { BookPanel } from "./BookPanel";
import styles from "./ChapterEditor.module.css";
import { ChapterHead, type Tool } from "./ChapterHead";
import { CommandList } from "./CommandList";
import { CommentsPanel } from "./CommentsPanel";
import { ConflictBar } from "./ConflictBar";
import { hunks } from "./compare";
import { Draft } from "./Draft";
import { emphasise } from "./emphasise";
import { FindBar } from "./FindBar";
import { FindingHover } from "./FindingHover";
import { FindingsStrip } from "./FindingsStrip";
import { HistoryPanel } from "./HistoryPanel";
import { followCaret, keyOf, suggestionKeys } from "./keys";
import { type LookedUp, NameCard } from "./NameCard";
import { NameHover } from "./NameHover";
import { ProposalBar } from "./ProposalBar";
import { ReferenceList } from "./ReferenceList";
import { SelectionMenu } from "./SelectionMenu";
import { SplitView } from "./SplitView";
import { SuggestionBar } from "./SuggestionBar";
import { useSplit } from "./split";
import { suggest } from "./suggestions";
import { LONGEST, offsetAt, textOf } from "./text";
import { tidy } from "./tidy";
import { useCommands } from "./useCommands";
import { useComments } from "./useComments";
import { useDesk } from "./useDesk";
import { type Editing, hasAgents, type Opened, useEditing } from "./useEditing";
import { useFindings } from "./useFindings";
import { useHeldLine } from "./useHeldLine";
import { useProposals } from "./useProposals";
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
  const { isFocused, isTypewriter } = useShell();
  const [tool, setTool] = useState<Tool>();
  const [note, setNote] = useState<string>();
  const [isCompared, compare] = useState(false);
  const [called, call] = useState(0);
  const press = useRef<(event: KeyboardEvent) => boolean>(() => false);
  const propose = useRef<(id: number, isTaken: boolean) => void>(() => undefined);
  const editing = useEditing({
    project,
    document: document.id,
    title: chapter.title,
    language,
    opened,
    onKey: (event) => press.current(event),
    onPropose: (id, isTaken) => propose.current(id, isTaken),
    onCompare: () => compare(true),
  });
  const proposing = useProposals(editing, project, document.id, language);
  propose.current = (id, isTaken) => proposing.decide([id], isTaken);
  const commanding = useCommands(editing, proposing);
  useDesk(editing, project);
  useHeldLine(editing.editor, isTypewriter);
  const found = useFindings(editing, project, document.id);
  const commenting = useComments(editing, project, document.id);
  const { seen: seenComment } = commenting;
  useEffect(() => {
    if (seenComment !== undefined) setTool("comments");
  }, [seenComment]);
  const comment = () => {
    if (commenting.begin()) setTool("comments");
    else setNote(t("write.comments.select_first"));
  };
  const book = useBook(view.story);
  const referencing = useReferences(editing, book);
  const [looked, look] = useState<LookedUp>();
  const lookUp = () => {
    const name = referencing.atCaret();
    look(name);
    setNote(name ? undefined : t("write.references.none"));
  };
  const keyed = suggestionKeys(editing, proposing, found.step);
  press.current = (event) => {
    if (commanding.press(event) || referencing.press(event)) return true;
    const key = keyOf(event);
    if (key) followCaret(editing.editor.view);
    if (key === "who") {
      lookUp();
      return true;
    }
    if (key === "commands") {
      if (editing.editor.state.selection.empty) commanding.call();
      else call(called + 1);
      return true;
    }
    if (key === "bold" || key === "italic") {
      emphasise(editing, key);
      return true;
    }
    if (key === "comment") {
      comment();
      return true;
    }
    if (key === "continue") {
      proposing.give("caret", "continue");
      return true;
    }
    if (key !== "save") return keyed(key);
    void editing.keeper.flush();
    return true;
  };
  useOthers(editing, project, document.id);
  useChapterOpen(editing, project, document.id);
  useShortcut(
    "f",
    useCallback(() => setTool("find"), []),
  );
  useTitle(chapter.title);

  const { shown, show } = useSplit();
  const beside = shown[project];
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
        comments={commenting.comments.filter(({ resolved }) => !resolved).length}
        onTool={(chosen) => setTool(chosen === tool ? undefined : chosen)}
        onTidy={arrange}
        isSplit={beside !== undefined}
        onSplit={() => show(project, beside ? undefined : { kind: "outline" })}
        onContinue={() => proposing.give("caret", "continue")}
      />
      {isLong && <Bar tone="waiting">{t("write.too_long", { most: LONGEST })}</Bar>}
      <Restored editing={editing} opened={opened} />
      <ConflictBar editing={editing} language={language} />
      <SuggestionBar editing={editing} />
      <ProposalBar editing={editing} proposing={proposing} isCompared={isCompared} onCompare={compare} />
      {note && (
        <Bar>
          <span role="status">{note}</span>
          <Button onClick={() => setNote(undefined)}>{t("common.close")}</Button>
        </Bar>
      )}
      {tool === "find" && <FindBar editing={editing} onBook={() => setTool("book")} onClose={close} />}
      <div className={styles.body}>
        <div className={styles.scroll} data-scroll data-typewriter={isTypewriter || undefined}>
          <h1 className={styles.title} lang={language === "zh" ? "zh-CN" : language}>
            {chapter.title}
          </h1>
          {!isFocused && <FindingsStrip project={project} chapter={chapter} found={found} />}
          <EditorContent editor={editing.editor} />
          <Draft project={project} number={chapter.place} />
          <div className={styles.foot} aria-hidden onMouseDown={(event) => toEnd(event, editing)} />
        </div>
        {beside && !isFocused && <SplitView view={view} book={book} chapter={chapter} beside={beside} />}
        {tool === "history" && (
          <HistoryPanel
            project={project}
            document={document.id}
            language={language}
            editing={editing}
            onClose={close}
          />
        )}
        {tool === "comments" && (
          <CommentsPanel
            project={project}
            document={document.id}
            commenting={commenting}
            proposing={proposing}
            onClose={() => {
              commenting.look(undefined);
              close();
            }}
          />
        )}
        {tool === "book" && <BookPanel view={view} here={document.id} editing={editing} onClose={close} />}
      </div>
      <FindingHover project={project} chapter={chapter} found={found} editing={editing} />
      <SelectionMenu
        editing={editing}
        proposing={proposing}
        called={called}
        nameOf={() => referencing.atCaret()?.reference}
        onLookUp={lookUp}
        onComment={comment}
      />
      <CommandList editing={editing} commanding={commanding} />
      <ReferenceList referencing={referencing} />
      {!looked && (
        <NameHover
          project={project}
          book={book}
          chapter={chapter.place}
          editing={editing}
          nameAt={referencing.nameAt}
        />
      )}
      {looked && (
        <NameCard
          key={looked.reference.name}
          project={project}
          book={book}
          chapter={chapter.place}
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

/** So long a word may still be composed before the text is saved without it. */
const STILL = 3_000;

/** Tells the tree of chapters which chapter is open, and puts the caret into a chapter that was made just now. */
function useChapterOpen(editing: Editing, project: string, document: string): void {
  const { editor, queue, keeper } = editing;
  const register = useChapterState((state) => state.register);
  useEffect(
    () =>
      register({
        project,
        document,
        save: async () => {
          const still = new Promise<void>((act) => queue.whenStill(act));
          await Promise.race([still, new Promise((late) => setTimeout(late, STILL))]);
          await keeper.flush();
          const isSaved = keeper.now().is === "saved" && !keeper.isDirty();
          if (!isSaved) keeper.keepCopy();
          return isSaved;
        },
        splitPoint: () => {
          const { doc, selection } = editor.state;
          return hasAgents(editor) ? undefined : splitPoint(textOf(doc), offsetAt(doc, selection.from));
        },
      }),
    [register, editor, queue, keeper, project, document],
  );
  useEffect(() => {
    const { caret, wantCaret } = useChapterState.getState();
    if (caret !== document) return;
    wantCaret(undefined);
    editor.commands.focus("start");
  }, [editor, document]);
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
