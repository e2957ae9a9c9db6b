import { MessageSquareQuote } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import styles from "./SelectionMenu.module.css";
import type { Editing } from "./useEditing";

type Place = { text: string; left: number; top: number };

const PAUSE = 250;
const ABOVE = 42;

/** What can be done with the words that are selected. */
export function SelectionMenu({ editing: { editor } }: { editing: Editing }) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<Place>();
  useEffect(() => {
    if (editor.isDestroyed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (editor.state.selection.empty) setPlace(undefined);
      else timer = setTimeout(() => setPlace(placeOf(editor)), PAUSE);
    };
    const hide = () => setPlace(undefined);
    const scroller = editor.view.dom.closest("[data-scroll]");
    editor.on("selectionUpdate", look);
    scroller?.addEventListener("scroll", hide, { passive: true });
    return () => {
      clearTimeout(timer);
      editor.off("selectionUpdate", look);
      scroller?.removeEventListener("scroll", hide);
    };
  }, [editor]);
  if (!place) return null;
  return (
    <div
      role="toolbar"
      aria-label={t("write.selection")}
      className={styles.menu}
      style={{ left: place.left, top: place.top }}
    >
      <Button
        kind="plain"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          window.dispatchEvent(new CustomEvent("qingyu:ask", { detail: { text: place.text } }));
          setPlace(undefined);
        }}
      >
        <MessageSquareQuote size={15} aria-hidden />
        {t("write.ask")}
      </Button>
    </div>
  );
}

function placeOf({ state, view, isFocused }: Editing["editor"]): Place | undefined {
  const { from, to, empty } = state.selection;
  const text = state.doc.textBetween(from, to, "\n").trim();
  if (empty || text === "" || view.composing || !isFocused) return undefined;
  const { left, top, bottom } = view.coordsAtPos(from);
  const isRoom = top > ABOVE * 3;
  return { text, left: Math.min(left, window.innerWidth - 160), top: isRoom ? top - ABOVE : bottom + 6 };
}
