import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNumbers } from "../parts/numbers";
import { count, lengthOf } from "./count";
import styles from "./Length.module.css";

type Props = { text: string; goal: number; language: string };

/** How long the chapter is, and how far towards its goal; the other numbers when one points at it. */
export function Length({ text, goal, language }: Props) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const counted = useMemo(() => count(text), [text]);
  const isEnglish = language === "en";
  const length = lengthOf(counted, language);
  const told: [string, number][] = isEnglish
    ? [
        [t("write.length.words_name"), counted.words],
        [t("write.length.characters_name"), counted.characters],
        [t("write.length.paragraphs_name"), counted.paragraphs],
      ]
    : [
        [t("write.length.full_name"), counted.full],
        [t("write.length.pure_name"), counted.pure],
        [t("write.length.characters_name"), counted.characters],
      ];
  if (goal > 0) told.push([t("write.length.goal_name"), goal]);
  return (
    <div className={styles.length}>
      <button type="button" className={styles.shown} aria-describedby="length-told">
        {t(isEnglish ? "write.length.words" : "write.length.full", {
          length: whole(length),
          count: length,
        })}
        {goal > 0 && (
          <progress
            className={styles.goal}
            value={Math.min(length, goal)}
            max={goal}
            aria-label={t("write.length.goal_name")}
          >
            {t("write.length.of", { length, goal })}
          </progress>
        )}
      </button>
      <dl id="length-told" className={styles.told}>
        {told.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{whole(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
