import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Row } from "../parts/Card";
import { TextField } from "../parts/Field";
import { Failed } from "../parts/states";
import styles from "./Shelf.module.css";
import { useBookChange } from "./useBookChange";

type Props = { project: string; title: string; onDone(): void };

/** Asks for another title of a book. */
export function RenameBook({ project, title, onDone }: Props) {
  const { t } = useTranslation();
  const [typed, type] = useState(title);
  const change = useBookChange(project, onDone);
  const save = (event: FormEvent) => {
    event.preventDefault();
    change.mutate({ title: typed.trim() });
  };
  return (
    <form onSubmit={save} className={styles.rename}>
      <TextField
        label={t("shelf.new_title")}
        value={typed}
        onChange={(event) => type(event.target.value)}
        onFocus={(event) => event.target.select()}
        autoFocus
      />
      <Row>
        <Button kind="main" type="submit" disabled={typed.trim() === "" || change.isPending}>
          {t("common.save")}
        </Button>
        <Button onClick={onDone}>{t("common.cancel")}</Button>
      </Row>
      {change.error && <Failed error={change.error} />}
    </form>
  );
}
