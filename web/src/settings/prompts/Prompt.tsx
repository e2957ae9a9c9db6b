import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useProjects } from "../../api/queries";
import type { PromptPreview, PromptView } from "../../api/schema";
import { Button } from "../../parts/Button";
import { Select } from "../../parts/Field";
import { Asked } from "../../parts/states";
import { ConfirmButton, Section } from "../parts/parts";
import { Told } from "../parts/Told";
import styles from "./Prompts.module.css";
import { lineSpan, refusedPrompt, useDeletePrompt, usePreview, usePrompt, useWritePrompt } from "./prompts";

/** One prompt: as it is built in, as the author has it, and as a model would read it. */
export function Prompt({ name, onBack }: { name: string; onBack: () => void }) {
  const { t } = useTranslation();
  const [project, choose] = useState("");
  const query = usePrompt(name, project);
  return (
    <Section title={name} actions={<Button onClick={onBack}>{t("settings.prompts.back")}</Button>}>
      <Asked query={query}>
        {(prompt) => <Editor key={prompt.text ?? ""} prompt={prompt} project={project} onProject={choose} />}
      </Asked>
    </Section>
  );
}

type EditorProps = { prompt: PromptView; project: string; onProject: (project: string) => void };

function Editor({ prompt, project, onProject }: EditorProps) {
  const { t } = useTranslation();
  const { data: projects = [] } = useProjects();
  const area = useRef<HTMLTextAreaElement>(null);
  const now = prompt.text ?? prompt.built_in;
  const [text, type] = useState(now);
  const preview = usePreview(prompt.name);
  const write = useWritePrompt(prompt.name);
  const restore = useDeletePrompt(prompt.name);
  const why = refusedPrompt(write.error);
  const fillWith = (other: string) => {
    onProject(other);
    if (text === now) preview.reset();
    else preview.mutate({ text, project: other });
  };
  const goTo = (line: number) => {
    area.current?.focus();
    area.current?.setSelectionRange(...lineSpan(text, line));
  };
  return (
    <>
      <p className={styles.variables}>
        {t("settings.prompts.variables")}{" "}
        {prompt.variables.length === 0
          ? t("settings.prompts.no_variables")
          : prompt.variables.map((variable) => <code key={variable}>{variable}</code>)}
      </p>
      <div className={styles.sides}>
        <label className={styles.side}>
          <span>{t("settings.prompts.yours")}</span>
          <textarea
            ref={area}
            rows={18}
            spellCheck={false}
            value={text}
            aria-invalid={why !== undefined}
            onChange={(event) => type(event.target.value)}
          />
        </label>
        <div className={styles.side}>
          <span>{t("settings.prompts.built_in")}</span>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre tabIndex={0}>{prompt.built_in}</pre>
        </div>
      </div>
      {why && <Problem problem={why} onGo={goTo} />}
      <Told error={why ? undefined : (write.error ?? restore.error ?? preview.error)} />
      <div className={styles.acts}>
        <Select
          label={t("settings.prompts.material")}
          value={project}
          onChange={(event) => fillWith(event.target.value)}
        >
          <option value="">{t("settings.prompts.example")}</option>
          {projects.map((row) => (
            <option key={row.project} value={row.project}>
              {row.title}
            </option>
          ))}
        </Select>
        <Button onClick={() => preview.mutate({ text, project })} disabled={preview.isPending}>
          {t("settings.prompts.preview")}
        </Button>
        <Button
          kind="main"
          onClick={() => write.mutate(text)}
          disabled={write.isPending || (text === now && prompt.overridden) || text === prompt.built_in}
        >
          {t("common.save")}
        </Button>
        {prompt.overridden && (
          <ConfirmButton
            label={t("settings.prompts.restore")}
            question={t("settings.prompts.restore_sure")}
            isBusy={restore.isPending}
            onConfirm={() => restore.mutate()}
          />
        )}
      </div>
      <Preview preview={preview.data ?? prompt.preview} onGo={goTo} />
    </>
  );
}

function Preview({ preview, onGo }: { preview: PromptPreview; onGo: (line: number) => void }) {
  const { t } = useTranslation();
  return (
    <section className={styles.preview} aria-label={t("settings.prompts.filled")}>
      <h3>{t("settings.prompts.filled")}</h3>
      {preview.problem && <Problem problem={preview.problem} onGo={onGo} />}
      {preview.text !== null && preview.text !== undefined && (
        <>
          <p className={styles.variables}>{t("settings.prompts.tokens", { count: preview.tokens })}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre tabIndex={0}>{preview.text}</pre>
        </>
      )}
    </section>
  );
}

type ProblemProps = { problem: { line?: number | null; message: string }; onGo: (line: number) => void };

function Problem({ problem, onGo }: ProblemProps) {
  const { t } = useTranslation();
  const { line, message } = problem;
  return (
    <p role="alert" className={styles.problem}>
      {line !== null && line !== undefined && (
        <Button onClick={() => onGo(line)}>{t("settings.prompts.line", { line })}</Button>
      )}{" "}
      {message}
    </p>
  );
}
