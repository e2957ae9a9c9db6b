import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { Problem } from "../api/problem";
import { changed } from "../api/queries";
import type { FieldView } from "../api/schema";
import { Button } from "../parts/Button";
import { TextArea } from "../parts/Field";
import { Told } from "../settings/parts/Told";
import { draftOf, keepDraft } from "./drafts";
import styles from "./FieldPage.module.css";
import { blankOf, isFormable } from "./form";
import { getField } from "./production";
import { ValueForm } from "./ValueForm";
import { ValueTree } from "./ValueTree";
import { isText, readTyped, typedOf } from "./value";

type Props = { project: string; field: FieldView; onClose: () => void };

/** A field's value as one types it. What somebody else put there meanwhile is not overwritten without being asked. */
export function FieldEditor({ project, field, onClose }: Props) {
  const { t } = useTranslation();
  const isPlain = isText(field.schema, field.value);
  const path = field.path ?? "";
  // The version that was there when the author began stays: what a run makes meanwhile is a conflict.
  const [{ typed, base }, edit] = useState(
    () => draftOf(project, path) ?? { typed: typedOf(field.value, isPlain), base: field.version ?? 0 },
  );
  const [theirs, find] = useState<FieldView>();
  const type = (words: string) => {
    const draft = { typed: words, base };
    keepDraft(project, path, draft);
    edit(draft);
  };
  const close = () => {
    keepDraft(project, path, undefined);
    onClose();
  };
  const save = useMutation({
    mutationFn: (expected: number) =>
      answer(
        http.PUT("/api/v1/projects/{project}/field", {
          params: { path: { project } },
          body: { path, typed, expected },
        }),
      ),
    onSuccess: () => {
      changed(project);
      close();
    },
    onError: async (error) => {
      if (isConflict(error)) find(await getField(project, path));
    },
  });
  const isEmpty = typed.trim() === "";
  const read = isPlain ? undefined : isEmpty ? { value: blankOf(field.schema) } : readTyped(typed);
  const isForm = read !== undefined && isFormable(field.schema, read.value);
  const isWrong = !isPlain && read === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(base);
  };
  if (theirs) {
    return (
      <Conflict
        theirs={theirs}
        mine={typed}
        isBusy={save.isPending}
        onMine={() => save.mutate(theirs.version ?? 0)}
        onTheirs={() => {
          changed(project);
          close();
        }}
        onBack={() => find(undefined)}
      />
    );
  }
  return (
    <form className={styles.editor} onSubmit={submit}>
      <Told error={save.error && !isConflict(save.error) ? save.error : undefined} />
      {isForm ? (
        <ValueForm
          label={field.title || path}
          value={read.value}
          schema={field.schema}
          onChange={(value) => type(typedOf(value, false))}
        />
      ) : (
        <div className={isPlain ? styles.text : styles.json}>
          <TextArea
            label={isPlain ? t("content.text") : t("content.json")}
            value={typed}
            spellCheck={isPlain}
            onChange={(event) => type(event.target.value)}
          />
        </div>
      )}
      {isWrong && (
        <p className={styles.wrong} role="status">
          {t("content.json_wrong")}
        </p>
      )}
      <div className={styles.acts}>
        <Button kind="main" type="submit" disabled={save.isPending || isWrong || isEmpty}>
          {t("common.save")}
        </Button>
        <Button onClick={close}>{t("common.cancel")}</Button>
        {field.dependents.length > 0 && (
          <small>{t("content.will_be_stale", { count: field.dependents.length })}</small>
        )}
      </div>
    </form>
  );
}

export function isConflict(error: unknown): boolean {
  return error instanceof Problem && (error.code === "field_conflict" || error.code === "conflict");
}

type ConflictProps = {
  theirs: FieldView;
  mine: string;
  isBusy: boolean;
  onMine: () => void;
  onTheirs: () => void;
  onBack: () => void;
};

function Conflict({ theirs, mine, isBusy, onMine, onTheirs, onBack }: ConflictProps) {
  const { t } = useTranslation();
  const isPlain = isText(theirs.schema, theirs.value);
  return (
    <section className={styles.conflict} role="alert">
      <strong>{t("content.conflict", { version: theirs.version })}</strong>
      <span>{t("content.mine")}</span>
      <Side typed={mine} isPlain={isPlain} schema={theirs.schema} />
      <span>{t("content.theirs")}</span>
      <Side typed={typedOf(theirs.value, isPlain)} isPlain={isPlain} schema={theirs.schema} />
      <div className={styles.acts}>
        <Button disabled={isBusy} onClick={onMine}>
          {t("content.keep_mine")}
        </Button>
        <Button disabled={isBusy} onClick={onTheirs}>
          {t("content.take_theirs")}
        </Button>
        <Button kind="plain" disabled={isBusy} onClick={onBack}>
          {t("content.back_to_mine")}
        </Button>
      </div>
    </section>
  );
}

/** One of two values that stand against each other, as people read it. */
function Side({ typed, isPlain, schema }: { typed: string; isPlain: boolean; schema: unknown }) {
  const read = isPlain ? undefined : readTyped(typed);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div className={styles.side} tabIndex={0}>
      {read ? <ValueTree value={read.value} schema={schema} /> : typed}
    </div>
  );
}
