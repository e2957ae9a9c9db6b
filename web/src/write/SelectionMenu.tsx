import { IdCard, MessageSquareQuote } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import type { Reference } from "./references";
import styles from "./SelectionMenu.module.css";
import type { Editing } from "./useEditing";

type Place = { text: string; left: number; top: number; name: Reference | undefined };

type Props = {
  editing: Editing;
  /** The name that is selected, if one is. */
  nameOf(): Reference | undefined;
  onLookUp(): void;
};

const PAUSE = 250;
const ABOVE = 42;

/** What can be done with the words that are selected. */
export function SelectionMenu({ editing: { editor }, nameOf, onLookUp }: Props) {
  const { t } = useTranslation();
  const [place, setPlace] = useState<Place>();
  const named = useRef(nameOf);
  named.current = nameOf;
  useEffect(() => {
    if (editor.isDestroyed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      if (editor.state.selection.empty) setPlace(undefined);
      else timer = setTimeout(() => setPlace(placeOf(editor, named.current)), PAUSE);
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
      {place.name && (
        <Button
          kind="plain"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            setPlace(undefined);
            onLookUp();
          }}
        >
          <IdCard size={15} aria-hidden />
          {t(
            place.name.piece.kind === "character" ? "write.references.look" : "write.references.look_thing",
            {
              name: place.name.name,
            },
          )}
        </Button>
      )}
    </div>
  );
}

function placeOf({ state, view, isFocused }: Editing["editor"], nameOf: Props["nameOf"]): Place | undefined {
  const { from, to, empty } = state.selection;
  const text = state.doc.textBetween(from, to, "\n").trim();
  if (empty || text === "" || view.composing || !isFocused) return undefined;
  const { left, top, bottom } = view.coordsAtPos(from);
  const isRoom = top > ABOVE * 3;
  const name = nameOf();
  const width = name ? 320 : 160;
  return {
    text,
    name,
    left: Math.min(left, window.innerWidth - width),
    top: isRoom ? top - ABOVE : bottom + 6,
  };
}
