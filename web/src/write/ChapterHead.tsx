import {
  AlignVerticalJustifyCenter,
  Columns2,
  History,
  Maximize2,
  MessageSquareText,
  Minimize2,
  PenLine,
  Search,
  Sparkles,
} from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Chapter } from "../chapters/list";
import { useShell } from "../shell/state";
import { Around, type Neighbours } from "./Around";
import styles from "./ChapterHead.module.css";
import { Length } from "./Length";
import { ReadingMark } from "./ReadingMark";
import { StandingMark } from "./StandingMark";
import type { Editing } from "./useEditing";

/** What is open beside the text. */
export type Tool = "find" | "book" | "history" | "comments" | undefined;

type Props = {
  project: string;
  chapter: Chapter;
  around: Neighbours;
  language: string;
  editing: Editing;
  tool: Tool;
  isLong: boolean;
  /** How many comments are open. */
  comments: number;
  onTool(tool: Tool): void;
  onTidy(): void;
  /** Whether something else stands beside the text. */
  isSplit: boolean;
  onSplit(): void;
  /** Has an agent go on at the caret. */
  onContinue(): void;
};

/** The line above a chapter: where one is, how long it is, whether it is saved, what can be done. */
export function ChapterHead(props: Props) {
  const { t } = useTranslation();
  const { isFocused, focus, isTypewriter, holdLine } = useShell();
  const { project, chapter, around, language, editing, tool, isLong, comments } = props;
  const { onTool, onTidy, onContinue, isSplit, onSplit } = props;
  return (
    <header className={styles.head} data-quiet={isFocused || undefined}>
      <Around project={project} chapter={chapter} around={around} />
      <span className={styles.room} />
      {chapter.document && (
        <ReadingMark key={chapter.document.id} project={project} document={chapter.document.id} />
      )}
      <StandingMark keeper={editing.keeper} />
      <Length text={editing.text} goal={chapter.node?.words ?? 0} language={language} />
      <div className={styles.tools} role="toolbar" aria-label={t("write.tools")}>
        <ToolButton name={t("write.find.title")} isOn={tool === "find"} onPress={() => onTool("find")}>
          <Search size={16} aria-hidden />
        </ToolButton>
        {!isLong && (
          <ToolButton name={t("write.caret.continue_here")} onPress={onContinue}>
            <PenLine size={16} aria-hidden />
          </ToolButton>
        )}
        {!isLong && (
          <ToolButton name={t("write.tidy")} onPress={onTidy}>
            <Sparkles size={16} aria-hidden />
          </ToolButton>
        )}
        <ToolButton
          name={t("write.history.title")}
          isOn={tool === "history"}
          onPress={() => onTool("history")}
        >
          <History size={16} aria-hidden />
        </ToolButton>
        <ToolButton
          name={comments > 0 ? t("write.comments.open", { count: comments }) : t("write.comments.title")}
          isOn={tool === "comments"}
          onPress={() => onTool("comments")}
        >
          <MessageSquareText size={16} aria-hidden />
          {comments > 0 && <span aria-hidden>{comments}</span>}
        </ToolButton>
        <ToolButton name={t("write.split.title")} isOn={isSplit} onPress={onSplit}>
          <Columns2 size={16} aria-hidden />
        </ToolButton>
        <ToolButton
          name={t("write.typewriter")}
          isOn={isTypewriter}
          onPress={() => {
            holdLine(!isTypewriter);
            editing.editor.commands.focus();
          }}
        >
          <AlignVerticalJustifyCenter size={16} aria-hidden />
        </ToolButton>
        <ToolButton
          name={isFocused ? t("shell.focus_off") : t("shell.focus")}
          isOn={isFocused}
          onPress={() => {
            focus(!isFocused);
            editing.editor.commands.focus();
          }}
        >
          {isFocused ? <Minimize2 size={16} aria-hidden /> : <Maximize2 size={16} aria-hidden />}
        </ToolButton>
      </div>
    </header>
  );
}

type ToolProps = { name: string; isOn?: boolean; onPress(): void; children: ReactNode };

function ToolButton({ name, isOn, onPress, children }: ToolProps) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={name}
      title={name}
      aria-pressed={isOn}
      onClick={onPress}
    >
      {children}
    </button>
  );
}
