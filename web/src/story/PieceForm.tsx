import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PieceKind } from "../api/schema";
import { Button } from "../parts/Button";
import { Failed } from "../parts/states";
import type { Book } from "./book";
import { Entry } from "./Entry";
import { blank, changesOf, type Data, type Typed, typedOf } from "./fields";
import { useFields } from "./kinds";
import { Confirm } from "./parts";
import styles from "./parts.module.css";
import { useEdit } from "./tools";

type Props = {
  project: string;
  kind: PieceKind;
  book: Book;
  /** The piece as it is; its id is empty for a new one and for the world. */
  piece: Data & { id?: string };
  /** What it is called where its deletion is asked about; it cannot be deleted without. */
  name?: string;
  isNew?: boolean;
  /** The fields that are shown; all by default. */
  only?: readonly string[];
  onDone?: (how: "saved" | "deleted" | "left") => void;
};

/** All fields of a piece; only what was changed is sent. Give it the piece's id as a key. */
export function PieceForm({ project, book, kind, piece, name, isNew, only, onDone }: Props) {
  const { t } = useTranslation();
  const edit = useEdit(project);
  const fields = useFields(book)(kind).filter((field) => only?.includes(field.name) ?? true);
  const [typed, type] = useState<Typed>(() => typedOf(fields, piece));
  const data = changesOf(fields, piece, typed);
  const isChanged = Object.keys(data).length > 0;
  const isWhole = fields.every((field) => !field.isRequired || String(typed[field.name] ?? "").trim() !== "");
  const save = (event: FormEvent) => {
    event.preventDefault();
    const whom = piece.id ? { id: piece.id } : {};
    const change = isNew
      ? { action: "create" as const, kind, data }
      : { action: "update" as const, kind, ...whom, data };
    edit.mutate(change, { onSuccess: () => onDone?.("saved") });
  };
  const remove = () => {
    if (piece.id)
      edit.mutate({ action: "delete", kind, id: piece.id }, { onSuccess: () => onDone?.("deleted") });
  };
  return (
    <form className={styles.form} onSubmit={save}>
      {fields.map((field) => (
        <Entry
          key={field.name}
          field={field}
          value={typed[field.name] ?? blank(field)}
          onChange={(value) => type({ ...typed, [field.name]: value })}
        />
      ))}
      {edit.error && (
        <div className={styles.wide}>
          <Failed error={edit.error} />
        </div>
      )}
      <div className={styles.foot}>
        <Button kind="main" type="submit" disabled={!isChanged || !isWhole || edit.isPending}>
          {isNew ? t("common.add") : t("common.save")}
        </Button>
        {(onDone || isChanged) && (
          <Button
            onClick={() => {
              type(typedOf(fields, piece));
              onDone?.("left");
            }}
          >
            {t("common.cancel")}
          </Button>
        )}
        <span role="status">{edit.isSuccess && !isChanged ? t("story.saved") : ""}</span>
        {name !== undefined && !isNew && (
          <Confirm
            words={t("common.delete")}
            question={t("story.delete_question", { name })}
            isBusy={edit.isPending}
            onConfirm={remove}
          />
        )}
      </div>
    </form>
  );
}
