import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Select, TextArea, TextField } from "../parts/Field";
import { type FieldSpec, rowsOf, type TypedValue, textsOf } from "./fields";
import styles from "./parts.module.css";
import { Rows } from "./Rows";

type EntryProps = {
  field: FieldSpec;
  value: TypedValue;
  onChange: (value: TypedValue) => void;
};

/** A field of a form, by what is typed into it. */
export function Entry({ field, value, onChange }: EntryProps) {
  const { t } = useTranslation();
  const { kind, label, choices = [], isRequired: required, step, most, length } = field;
  if (kind === "rows") return <Rows field={field} rows={rowsOf(value)} onChange={onChange} />;
  if (Array.isArray(value)) {
    return <Many label={label} choices={choices} value={textsOf(value)} onChange={onChange} />;
  }
  if (kind === "check") {
    return (
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={value === "true"}
          onChange={(event) => onChange(event.target.checked ? "true" : "")}
        />
        {label}
      </label>
    );
  }
  if (kind === "text") {
    return (
      <div className={styles.wide}>
        <TextArea
          label={label}
          rows={2}
          value={value}
          required={required}
          onChange={(e) => onChange(e.target.value)}
        />
      </div>
    );
  }
  if (kind === "choice") {
    return (
      <Select label={label} value={value} required={required} onChange={(e) => onChange(e.target.value)}>
        {!choices.some(([choice]) => choice === value) && (
          <option value={value}>{value || t("common.none")}</option>
        )}
        {choices.map(([choice, words]) => (
          <option key={choice} value={choice}>
            {words}
          </option>
        ))}
      </Select>
    );
  }
  const isNumber = kind === "number";
  return (
    <TextField
      label={label}
      value={value}
      required={required}
      maxLength={length}
      type={isNumber ? "number" : "text"}
      {...(isNumber ? { step: step ?? 1, max: most, min: 0 } : {})}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

type ManyProps = {
  label: string;
  choices: readonly (readonly [string, string])[];
  value: readonly string[];
  onChange: (value: string[]) => void;
};

function Many({ label, choices, value, onChange }: ManyProps) {
  const { t } = useTranslation();
  const words = new Map(choices);
  return (
    <fieldset className={styles.many}>
      <legend>{label}</legend>
      <div className={styles.chips}>
        {value.map((chosen) => (
          <span key={chosen} className={styles.chip}>
            {words.get(chosen) ?? chosen}
            <button
              type="button"
              aria-label={t("story.take_out", { name: words.get(chosen) ?? chosen })}
              onClick={() => onChange(value.filter((other) => other !== chosen))}
            >
              <X size={12} aria-hidden />
            </button>
          </span>
        ))}
        <select
          aria-label={t("story.put_in", { name: label })}
          value=""
          onChange={(event) => event.target.value !== "" && onChange([...value, event.target.value])}
        >
          <option value="">{t("story.choose")}</option>
          {choices
            .filter(([choice]) => !value.includes(choice))
            .map(([choice, name]) => (
              <option key={choice} value={choice}>
                {name}
              </option>
            ))}
        </select>
      </div>
    </fieldset>
  );
}
