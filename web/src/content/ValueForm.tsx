import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Select, TextArea, TextField } from "../parts/Field";
import { useMovedRow } from "../parts/movedRow";
import { blankOf, choicesOf, entriesOf, formMembers, itemSchemaOf, mostOf, moved, shapeOf } from "./form";
import { useMemberName } from "./members";
import styles from "./ValueForm.module.css";

type Props = {
  label: string;
  value: unknown;
  schema: unknown;
  onChange: (value: unknown) => void;
};

/** A value in the controls that its schema asks for: words, numbers, choices, rows to add and move. */
export function ValueForm({ label, value, schema, onChange }: Props) {
  const { t } = useTranslation();
  switch (shapeOf(schema, value)) {
    case "record":
      return <Members label={label} value={value} schema={schema} onChange={onChange} />;
    case "list":
      return <Rows label={label} value={value} schema={schema} onChange={onChange} />;
    case "number":
      return (
        <TextField
          label={label}
          type="number"
          value={typeof value === "number" ? value : ""}
          onChange={({ target }) => onChange(target.value === "" ? undefined : target.valueAsNumber)}
        />
      );
    case "truth":
      return (
        <Select
          label={label}
          value={String(value === true)}
          onChange={({ target }) => onChange(target.value === "true")}
        >
          <option value="true">{t("content.yes")}</option>
          <option value="false">{t("content.no")}</option>
        </Select>
      );
    case "choice":
      return (
        <Select label={label} value={String(value ?? "")} onChange={({ target }) => onChange(target.value)}>
          <option value="" />
          {choicesOf(schema).map((one) => (
            <option key={one}>{one}</option>
          ))}
        </Select>
      );
    default: {
      const words = typeof value === "string" ? value : "";
      return (
        <div className={styles.words}>
          <TextArea label={label} value={words} rows={1} onChange={({ target }) => onChange(target.value)} />
        </div>
      );
    }
  }
}

function Members({ label, value, schema, onChange }: Props) {
  const called = useMemberName();
  const held = typeof value === "object" && value !== null ? value : {};
  return (
    <fieldset className={styles.members} aria-label={label}>
      {formMembers(schema, value).map(([name, inner, part]) => (
        <ValueForm
          key={name}
          label={called(name)}
          value={inner}
          schema={part}
          onChange={(next) => onChange({ ...held, [name]: next })}
        />
      ))}
    </fieldset>
  );
}

function Rows({ label, value, schema, onChange }: Props) {
  const { t } = useTranslation();
  const [added, setAdded] = useState<number>();
  const { list, follow } = useMovedRow();
  const entries = entriesOf(value);
  const items = itemSchemaOf(schema, entries);
  useEffect(() => {
    if (added === undefined) return;
    list.current?.children[added]?.querySelector<HTMLElement>("textarea, input, select")?.focus();
    setAdded(undefined);
  }, [added, list]);
  const move = (place: number, by: 1 | -1) => {
    onChange(moved(entries, place, place + by));
    follow(place + by, by);
  };
  const add = () => {
    onChange([...entries, blankOf(items)]);
    setAdded(entries.length);
  };
  return (
    <fieldset className={styles.rows}>
      <legend>{label}</legend>
      <ol ref={list}>
        {entries.map((entry, place) => {
          const number = place + 1;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: entries have no names, and their controls keep nothing
            <li key={place}>
              <ValueForm
                label={t("content.row", { number })}
                value={entry}
                schema={items}
                onChange={(next) => onChange(entries.map((other, at) => (at === place ? next : other)))}
              />
              <div className={styles.acts}>
                <Button
                  kind="plain"
                  aria-label={t("content.row_up", { name: label, number })}
                  data-move="-1"
                  disabled={place === 0}
                  onClick={() => move(place, -1)}
                >
                  <ArrowUp size={15} aria-hidden />
                </Button>
                <Button
                  kind="plain"
                  aria-label={t("content.row_down", { name: label, number })}
                  data-move="1"
                  disabled={number === entries.length}
                  onClick={() => move(place, 1)}
                >
                  <ArrowDown size={15} aria-hidden />
                </Button>
                <Button
                  kind="plain"
                  aria-label={t("content.row_remove", { name: label, number })}
                  onClick={() => onChange(entries.filter((_, at) => at !== place))}
                >
                  <Trash2 size={15} aria-hidden />
                </Button>
              </div>
            </li>
          );
        })}
      </ol>
      {entries.length < mostOf(schema) && (
        <Button onClick={add} aria-label={t("content.row_add", { name: label })}>
          <Plus size={15} aria-hidden />
          {t("common.add")}
        </Button>
      )}
    </fieldset>
  );
}
