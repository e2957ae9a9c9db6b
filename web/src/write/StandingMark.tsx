import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { EditedChapter } from "../api/schema";
import { useProblemText } from "../parts/states";
import type { Keeper } from "./keeper";
import styles from "./StandingMark.module.css";

/** Whether the text is saved. */
export function StandingMark({ keeper }: { keeper: Keeper<EditedChapter> }) {
  const { t } = useTranslation();
  const say = useProblemText();
  const standing = useSyncExternalStore(keeper.subscribe, keeper.now);
  const words =
    standing.is !== "saved" && standing.is !== "saving" && !keeper.isKept
      ? t("write.standing.no_room")
      : standing.is === "failed"
        ? t("write.standing.failed", { message: say(standing.error) })
        : t(`write.standing.${standing.is}`);
  return (
    <span className={styles.mark} data-is={standing.is}>
      <span role="status" className={styles.words} title={words}>
        {words}
      </span>
      {(standing.is === "failed" || standing.is === "offline") && (
        <button type="button" className={styles.again} onClick={() => void keeper.flush()}>
          {t("write.standing.again")}
        </button>
      )}
    </span>
  );
}
