import { useTranslation } from "react-i18next";
import type { SettingChange } from "../../api/schema";
import styles from "./parts.module.css";

/** What became of a change: where it went, and whether something else holds all the same. */
export function ChangeNote({ change }: { change: SettingChange | undefined }) {
  const { t } = useTranslation();
  if (!change) return <p role="status" className="unseen" />;
  const isHidden = change.layer !== null && change.layer !== change.written && over(change);
  return (
    <p role="status" className={styles.note}>
      {t("settings.change.saved", { key: change.key, layer: t(`settings.layer.${change.written}`) })}{" "}
      {isHidden &&
        change.layer &&
        t("settings.change.hidden", { layer: t(`settings.layer.${change.layer}`) })}{" "}
      {change.restart && t("settings.change.restart")}
    </p>
  );
}

const order = ["default", "user", "project", "environment", "flag"] as const;

/** Whether what holds comes from a layer that goes over the one that was written. */
function over({ layer, written }: SettingChange): boolean {
  return layer !== null && layer !== undefined && order.indexOf(layer) > order.indexOf(written);
}
