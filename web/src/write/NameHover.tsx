import { useEffect, useRef, useState } from "react";
import type { Book } from "../story/book";
import { nameLayer } from "./layer";
import { NameCard } from "./NameCard";
import styles from "./Prose.module.css";
import { offsetAt } from "./text";
import type { Editing } from "./useEditing";
import { type NameInText, placeOf, type Referencing } from "./useReferences";

type Props = {
  project: string;
  book: Book;
  chapter: number | undefined;
  editing: Editing;
  nameAt: Referencing["nameAt"];
};

/** How long the mouse rests on a name before its card opens, in milliseconds. */
const PATIENCE = 350;
/** Elements with a card or buttons of their own. */
const TAKEN = "[data-finding], [data-proposal], [data-suggestion], button";

/** The card of the name that the mouse rests on. Typing, scrolling and leaving close it. */
export function NameHover({ project, book, chapter, editing, nameAt }: Props) {
  const { editor, queue } = editing;
  const [shown, show] = useState<NameInText>();
  const find = useRef(nameAt);
  find.current = nameAt;
  const frame = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (editor.isDestroyed) return;
    const { dom } = editor.view;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const later = (act: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(act, PATIENCE);
    };
    const close = () => {
      clearTimeout(timer);
      show(undefined);
    };
    // A card that the mouse has gone to stays.
    const fade = () => {
      if (!frame.current?.matches(":has(:hover)")) show(undefined);
    };
    const leave = () => later(fade);
    const point = ({ target, clientX: left, clientY: top, buttons }: MouseEvent) => {
      if (buttons !== 0 || (target instanceof Element && target.closest(TAKEN))) return leave();
      later(() => {
        if (editor.isDestroyed || editor.view.composing) return;
        const found = editor.view.posAtCoords({ left, top });
        const name = found ? find.current(found.pos) : undefined;
        const isHit =
          name && isOn(editor.view.coordsAtPos(name.from), editor.view.coordsAtPos(name.to), left, top);
        if (isHit) show(name);
        else fade();
      });
    };
    const scroller = dom.closest("[data-scroll]");
    dom.addEventListener("mousemove", point);
    dom.addEventListener("mouseleave", leave);
    dom.addEventListener("mousedown", close);
    dom.addEventListener("keydown", close);
    scroller?.addEventListener("scroll", close, { passive: true });
    return () => {
      clearTimeout(timer);
      dom.removeEventListener("mousemove", point);
      dom.removeEventListener("mouseleave", leave);
      dom.removeEventListener("mousedown", close);
      dom.removeEventListener("keydown", close);
      scroller?.removeEventListener("scroll", close);
    };
  }, [editor]);

  useEffect(() => {
    if (!shown) return undefined;
    const attributes = { class: styles.name ?? "" };
    queue.push((state) => {
      const [from, to] = [offsetAt(state.doc, shown.from), offsetAt(state.doc, shown.to)];
      return nameLayer.draw(state, [{ from, to, attributes }]);
    });
    return () => queue.push((state) => nameLayer.draw(state, []));
  }, [shown, queue]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the mouse alone opened it; Alt+/ opens the same card by keys
    <div ref={frame} onMouseLeave={() => show(undefined)}>
      {shown && (
        <NameCard
          key={`${shown.from}/${shown.reference.name}`}
          project={project}
          book={book}
          chapter={chapter}
          looked={{ reference: shown.reference, place: placeOf(editor, shown.from) }}
          isPointed
          onClose={() => show(undefined)}
        />
      )}
    </div>
  );
}

type Box = { left: number; right: number; top: number; bottom: number };

/** Whether a point is on the letters between two places; a name that goes on in the next line is taken on both. */
function isOn(from: Box, to: Box, left: number, top: number): boolean {
  if (top < from.top || top > to.bottom) return false;
  return from.top !== to.top || (left >= from.left && left <= to.right);
}
