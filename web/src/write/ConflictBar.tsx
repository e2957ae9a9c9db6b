import { useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Bar } from "./Bar";
import { Comparison } from "./Comparison";
import styles from "./ConflictBar.module.css";
import { places } from "./compare";
import { textOf } from "./text";
import type { Editing } from "./useEditing";

/** Both sides wrote: the author says what becomes of it. */
export function ConflictBar({ editing, language }: { editing: Editing; language: string }) {
  const { t } = useTranslation();
  const [isCompared, setCompared] = useState(false);
  const { keeper, editor } = editing;
  const standing = useSyncExternalStore(keeper.subscribe, keeper.now);
  if (standing.is !== "conflict") return null;
  return (
    <div role="alert">
      <Bar label={t("write.conflict.label")} tone="waiting">
        <span>
          <strong>{t("write.conflict.label")}</strong> {t("write.conflict.about")}
        </span>
        <Button aria-pressed={isCompared} onClick={() => setCompared(!isCompared)}>
          {t("write.conflict.compare")}
        </Button>
        <Button onClick={() => keeper.resolve("mine")}>{t("write.conflict.mine")}</Button>
        <Button onClick={() => keeper.resolve("theirs")}>{t("write.conflict.theirs")}</Button>
        <Button kind="main" onClick={() => keeper.resolve("each")}>
          {t("write.conflict.each")}
        </Button>
      </Bar>
      {isCompared && (
        <div className={styles.compared}>
          <p>{t("write.conflict.legend")}</p>
          <Comparison
            label={t("write.conflict.compare")}
            places={places(textOf(editor.state.doc), standing.theirs.text, language)}
          />
        </div>
      )}
    </div>
  );
}
