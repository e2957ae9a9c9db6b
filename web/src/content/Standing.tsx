import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { at } from "../shell/places";
import type { View } from "./production";
import styles from "./Standing.module.css";

/** What the newest run does, or what it waits for. */
export function Standing({ view }: { view: View }) {
  const { t } = useTranslation();
  const [run, status] = view.run ?? [];
  if (run === undefined) return undefined;
  const isFailed = status === "failed" || status === "interrupted";
  return (
    <>
      <p role="status" className={status === "running" ? styles.working : "unseen"}>
        {status === "running" && (
          <>
            {t("content.working")} <Link href={at.run(view.project, run)}>{t("content.follow")}</Link>
          </>
        )}
      </p>
      {isFailed && (
        <p className={styles.waiting}>
          {t(`content.ended.${status}`)} <Link href={at.run(view.project, run)}>{t("content.follow")}</Link>
        </p>
      )}
      {status === "waiting" && view.turn?.text && (
        <section className={styles.waiting} aria-label={t("content.waits")}>
          <strong>{t("content.waits")}</strong>
          <p>{view.turn.text}</p>
          <small>{t("content.waits_about")}</small>
        </section>
      )}
    </>
  );
}
