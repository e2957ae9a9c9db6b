import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import styles from "./MakeKey.module.css";
import { CopyButton } from "./parts/parts";

/** A new key, shown the only time that it is whole. */
export function MadeKey({ title, secret, onSeen }: { title: string; secret: string; onSeen: () => void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.made} role="alert">
      <strong>{title}</strong>
      <p>
        <code>{secret}</code>
        <CopyButton text={secret} />
      </p>
      <p>{t("settings.access.once")}</p>
      <div>
        <Button onClick={onSeen}>{t("settings.access.seen")}</Button>
      </div>
    </div>
  );
}
