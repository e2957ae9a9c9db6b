import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ChapterRow } from "../api/schema";
import { Button } from "../parts/Button";
import { Row } from "../parts/Card";
import { Dialog } from "../parts/Dialog";
import { TextField } from "../parts/Field";
import type { ChapterEdits } from "./useChapterEdits";

type Props = { row: ChapterRow; edits: ChapterEdits; onClose(): void };

/** Asks once before a chapter is deleted. */
export function DeleteDialog({ row, edits, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog role="alertdialog" label={t("chapters.delete_question", { title: row.title })} onClose={onClose}>
      <h2>{t("chapters.delete_question", { title: row.title })}</h2>
      <p>{t("chapters.delete_about")}</p>
      <Row>
        <Button
          kind="danger"
          onClick={() => {
            onClose();
            void edits.remove(row);
          }}
        >
          {t("chapters.delete_sure")}
        </Button>
        <Button onClick={onClose}>{t("common.cancel")}</Button>
      </Row>
    </Dialog>
  );
}

/** Asks for the number that a chapter is to be moved to. */
export function MoveDialog({ row, edits, onClose }: Props) {
  const { t } = useTranslation();
  const [typed, type] = useState("");
  const [unknown, setUnknown] = useState<number>();
  const move = (event: FormEvent) => {
    event.preventDefault();
    const number = Number(typed.normalize("NFKC"));
    if (edits.moveTo(row, number)) onClose();
    else setUnknown(number);
  };
  return (
    <Dialog label={t("chapters.move_question", { title: row.title })} onClose={onClose}>
      <form onSubmit={move} style={{ display: "grid", gap: 12 }}>
        <h2>{t("chapters.move_question", { title: row.title })}</h2>
        <TextField
          label={t("chapters.move_number")}
          type="number"
          min={0}
          step={1}
          required
          value={typed}
          aria-invalid={unknown !== undefined}
          onChange={(event) => {
            type(event.target.value);
            setUnknown(undefined);
          }}
          autoFocus
        />
        {unknown !== undefined && <p role="alert">{t("chapters.move_unknown", { number: unknown })}</p>}
        <Row>
          <Button kind="main" type="submit" disabled={typed.trim() === ""}>
            {t("chapters.move_sure")}
          </Button>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
        </Row>
      </form>
    </Dialog>
  );
}
