import { type KeyboardEvent, useRef } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { OwnWords } from "./OwnWords";
import { besides } from "./ReferenceList";
import styles from "./References.module.css";
import type { Commanding } from "./useCommands";
import type { Editing } from "./useEditing";

type Props = { editing: Editing; commanding: Commanding };

/** The commands at the caret; the editor keeps the focus and takes the keys. */
export function CommandList({ editing, commanding }: Props) {
  const { t } = useTranslation();
  const { id, entries, active, place, form, pick } = commanding;
  const shown = useRef<HTMLDivElement>(null);
  if (form)
    return createPortal(<Form editing={editing} commanding={commanding} form={form} />, document.body);
  if (entries.length === 0 || !place) return null;
  shown.current?.children[active]?.scrollIntoView({ block: "nearest" });
  return createPortal(
    <div className={styles.float} style={besides(place)}>
      <div
        ref={shown}
        id={id}
        role="listbox"
        aria-label={t("write.caret.commands")}
        className={`${styles.list} ${styles.long}`}
      >
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the editor has the focus, and names the active one
          // biome-ignore lint/a11y/useKeyWithClickEvents: the editor takes the keys
          <div
            key={entry.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // The caret stays where it is.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => pick(entry)}
          >
            <span>{entry.label}</span>
            <small>{t(`write.caret.target.${entry.target}`)}</small>
          </div>
        ))}
      </div>
    </div>,
    document.body,
  );
}

type FormProps = Props & { form: NonNullable<Commanding["form"]> };

function Form({ editing, commanding, form }: FormProps) {
  const { t } = useTranslation();
  const label = t(form.target === "caret" ? "write.caret.own_caret" : "write.caret.own_paragraph");
  const press = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    commanding.close();
    editing.editor.commands.focus(undefined, { scrollIntoView: false });
  };
  return (
    <div
      role="dialog"
      aria-label={label}
      className={styles.float}
      style={besides(form.place)}
      onKeyDown={press}
    >
      <OwnWords editing={editing} label={label} onSend={commanding.send} />
    </div>
  );
}
