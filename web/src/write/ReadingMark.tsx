import { useTranslation } from "react-i18next";
import { useProject } from "../api/queries";
import { useStart } from "../shelf/actions";
import styles from "./StandingMark.module.css";

/** Says that no model has read the chapter as it stands, and has it read on demand. */
export function ReadingMark({ project, document }: { project: string; document: string }) {
  const { t } = useTranslation();
  const { data } = useProject(project);
  const start = useStart();
  const chapter = data?.chapters.find((one) => one.document === document);
  if (!chapter?.chapter || !chapter.state || chapter.state === "read") return null;
  const chapters = [chapter.chapter];
  return (
    <button
      type="button"
      className={styles.reading}
      title={t("write.reading.about")}
      disabled={start.isPending || start.isSuccess}
      onClick={() => start.mutate({ kind: "write", project, task: { kind: "read", chapters } })}
    >
      {t(`write.reading.${chapter.state}`)}
    </button>
  );
}
