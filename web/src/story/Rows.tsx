import { ArrowDown, ArrowUp, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { useMovedRow } from "../parts/movedRow";
import { Entry } from "./Entry";
import { blank, type FieldSpec, type Typed } from "./fields";
import styles from "./parts.module.css";

type Props = { field: FieldSpec; rows: readonly Typed[]; onChange: (rows: Typed[]) => void };

/** Rows in an order that matters: each with fields, moved and taken out by buttons. */
export function Rows({ field, rows, onChange }: Props) {
  const { t } = useTranslation();
  const { label, columns = [], most } = field;
  const { list, follow } = useMovedRow();
  const put = (index: number, row: Typed) =>
    onChange(rows.map((old, other) => (other === index ? row : old)));
  const move = (index: number, by: 1 | -1) => {
    const next = [...rows];
    const [row] = next.splice(index, 1);
    if (row) next.splice(index + by, 0, row);
    onChange(next);
    follow(index + by, by);
  };
  return (
    <fieldset className={`${styles.many} ${styles.wide}`}>
      <legend>{label}</legend>
      {rows.length > 0 && (
        <ol ref={list} className={styles.rows}>
          {rows.map((row, index) => {
            const name = t("story.row", { label, number: index + 1 });
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name but its place, and holds no state
              <li key={index} className={styles.row} aria-label={name}>
                {columns.map((column) => (
                  <Entry
                    key={column.name}
                    field={column}
                    value={row[column.name] ?? blank(column)}
                    onChange={(value) => put(index, { ...row, [column.name]: value })}
                  />
                ))}
                <span className={styles.turns}>
                  <button
                    type="button"
                    data-move="-1"
                    disabled={index === 0}
                    aria-label={t("story.row_up", { name })}
                    onClick={() => move(index, -1)}
                  >
                    <ArrowUp size={14} aria-hidden />
                  </button>
                  <button
                    type="button"
                    data-move="1"
                    disabled={index === rows.length - 1}
                    aria-label={t("story.row_down", { name })}
                    onClick={() => move(index, 1)}
                  >
                    <ArrowDown size={14} aria-hidden />
                  </button>
                  <button
                    type="button"
                    aria-label={t("story.take_out", { name })}
                    onClick={() => onChange(rows.filter((_, other) => other !== index))}
                  >
                    <X size={14} aria-hidden />
                  </button>
                </span>
              </li>
            );
          })}
        </ol>
      )}
      <div>
        <Button
          disabled={most !== undefined && rows.length >= most}
          onClick={() =>
            onChange([...rows, Object.fromEntries(columns.map((column) => [column.name, blank(column)]))])
          }
        >
          {t("story.put_in", { name: label })}
        </Button>
      </div>
    </fieldset>
  );
}
