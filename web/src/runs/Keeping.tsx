import { Copy, TextCursorInput } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import styles from "./Conversation.module.css";
import { useWhere } from "./where";

type Done = "inserted" | "copied" | "not_copied";

const SHOWN = 4_000;

/** Buttons that insert an agent's words at the caret, or copy them to the clipboard. */
export function Keeping({ project, text }: { project: string; text: string }) {
  const { t } = useTranslation();
  const desk = useWhere((where) => where.desk);
  const [done, tell] = useState<Done>();
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => tell(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [done]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      tell("copied");
    } catch {
      tell("not_copied");
    }
  };
  return (
    <div className={styles.keeping}>
      {desk?.project === project && (
        <Button
          kind="plain"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            desk.insert(text);
            tell("inserted");
          }}
        >
          <TextCursorInput size={14} aria-hidden />
          {t("runs.talk.insert")}
        </Button>
      )}
      <Button kind="plain" onClick={() => void copy()}>
        <Copy size={14} aria-hidden />
        {t("common.copy")}
      </Button>
      <span role="status">{done && t(`runs.talk.${done}`)}</span>
    </div>
  );
}
