import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import styles from "./Panel.module.css";

type Props = { title: string; about?: string; onClose(): void; children: ReactNode };

/** What stands beside the text; over it where there is little room. */
export function Panel({ title, about, onClose, children }: Props) {
  const { t } = useTranslation();
  const shut = useRef<HTMLButtonElement>(null);
  useEffect(() => shut.current?.focus({ preventScroll: true }), []);
  return (
    <aside
      className={styles.panel}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.nativeEvent.isComposing) onClose();
      }}
    >
      <header className={styles.head}>
        <h2>{title}</h2>
        <button ref={shut} type="button" aria-label={t("common.close")} onClick={onClose}>
          <X size={16} aria-hidden />
        </button>
      </header>
      {about && <p className={styles.about}>{about}</p>}
      {children}
    </aside>
  );
}
