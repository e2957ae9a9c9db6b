import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { useKindWords } from "../story/parts";
import styles from "./References.module.css";
import type { Beside, Referencing } from "./useReferences";

/** The names that may be meant while a reference is typed; the editor keeps the focus and takes the keys. */
export function ReferenceList({ referencing }: { referencing: Referencing }) {
  const { t } = useTranslation();
  const kindOf = useKindWords();
  const { id, found, active, place, pick } = referencing;
  if (found.length === 0 || !place) return null;
  const about = found[active]?.piece.about;
  return createPortal(
    <div className={styles.float} style={besides(place)}>
      <div id={id} role="listbox" aria-label={t("write.references.label")} className={styles.list}>
        {found.map((reference, index) => {
          const { name, piece } = reference;
          return (
            // biome-ignore lint/a11y/useFocusableInteractive: the editor has the focus, and names the active one
            // biome-ignore lint/a11y/useKeyWithClickEvents: the editor takes the keys
            <div
              key={`${piece.kind}/${piece.id}/${name}`}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === active}
              // The caret stays where it is.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(reference)}
            >
              <span>{name}</span>
              <small>
                {name === piece.name ? kindOf(piece.kind) : t("write.references.also", { name: piece.name })}
              </small>
            </div>
          );
        })}
      </div>
      {about && (
        <div className={styles.about}>
          <p>{about}</p>
        </div>
      )}
    </div>,
    document.body,
  );
}

/** The style of what stands by words. */
export function besides({ left, top, isAbove }: Beside) {
  return isAbove ? { left, bottom: window.innerHeight - top + 4 } : { left, top: top + 4 };
}
