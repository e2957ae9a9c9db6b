import { History, Maximize2, Minimize2, Search, Sparkles } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useShell } from "../shell/state";
import { Around, type Neighbours } from "./Around";
import styles from "./ChapterHead.module.css";
import type { Chapter } from "./chapters";
import { Length } from "./Length";
import { ReadingMark } from "./ReadingMark";
import { StandingMark } from "./StandingMark";
import type { Editing } from "./useEditing";

/** What is open beside the text. */
export type Tool = "find" | "book" | "history" | undefined;

type Props = {
  project: string;
  chapter: Chapter;
  around: Neighbours;
  language: string;
  editing: Editing;
  tool: Tool;
  isLong: boolean;
  onTool(tool: Tool): void;
  onTidy(): void;
};

/** The line above a chapter: where one is, how long it is, whether it is saved, what can be done. */
export function ChapterHead(props: Props) {
  const { t } = useTranslation();
  const { isFocused, focus } = useShell();
  const { project, chapter, around, language, editing, tool, isLong, onTool, onTidy } = props;
  return (
    <header className={styles.head}>
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
          name={isFocused ? t("shell.focus_off") : t("shell.focus")}
          isOn={isFocused}
          onPress={() => focus(!isFocused)}
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
