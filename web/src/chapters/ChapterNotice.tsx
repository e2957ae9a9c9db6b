import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import styles from "./Chapters.module.css";
import { type Notice, useChapterState } from "./state";
import { useChapterEdits } from "./useChapterEdits";

/** So long a result stands there; a failure stands until it is closed. */
const SHOWN = 30_000;

/** The result of the last edit of the chapter list, with a way to take it back. */
export function ChapterNotice({ project }: { project: string }) {
  const notice = useChapterState((state) => state.notice);
  return (
    <div role="status" className={styles.status}>
      {notice?.project === project && <Shown project={project} notice={notice} />}
    </div>
  );
}

function Shown({ project, notice }: { project: string; notice: Notice }) {
  const { t } = useTranslation();
  const { undo } = useChapterEdits(project);
  const { notify, isBusy } = useChapterState();
  const taken = notice.undo;
  useEffect(() => {
    if (notice.isFailure) return;
    const timer = setTimeout(() => notify(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [notice, notify]);
  return (
    <div className={styles.notice} data-failed={notice.isFailure}>
      <span role={notice.isFailure ? "alert" : undefined}>{notice.text}</span>
      {taken && taken.changes.length > 0 && (
        <Button disabled={isBusy} onClick={() => void undo(taken)}>
          {t("common.undo")}
        </Button>
      )}
      <Button kind="plain" onClick={() => notify(undefined)}>
        {t("common.close")}
      </Button>
    </div>
  );
}
