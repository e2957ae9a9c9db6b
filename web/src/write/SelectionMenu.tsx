import { Bold, IdCard, Italic, MessageSquarePlus, MessageSquareQuote } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { isComposing } from "../parts/composing";
import { passageCommands, tones } from "./caret";
import { emphasise } from "./emphasise";
import { OwnWords } from "./OwnWords";
import type { Reference } from "./references";
import styles from "./SelectionMenu.module.css";
import type { Editing } from "./useEditing";
import type { Proposing } from "./useProposals";

type Place = {
  text: string;
  left: number;
  top: number;
  bottom: number;
  isAbove: boolean;
  name: Reference | undefined;
};

type Props = {
  editing: Editing;
  proposing: Proposing;
  /** Grows by one each time the menu is called by key; it then has the focus. */
  called: number;
  /** The name that is selected, if one is. */
  nameOf(): Reference | undefined;
  onLookUp(): void;
  /** Begins a comment on the selected words. */
  onComment(): void;
};

const PAUSE = 250;
const ABOVE = 140;
const WIDE = 620;

/** What can be done with the words that are selected. */
export function SelectionMenu({ editing, proposing, called, nameOf, onLookUp, onComment }: Props) {
  const { t } = useTranslation();
  const { editor } = editing;
  const [place, setPlace] = useState<Place>();
  const [more, showMore] = useState<"tone" | "own">();
  const menu = useRef<HTMLDivElement>(null);
  const named = useRef(nameOf);
  named.current = nameOf;
  const isHeld = useRef(false);
  isHeld.current = more !== undefined;
  useEffect(() => {
    if (editor.isDestroyed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      setPlace(undefined);
      showMore(undefined);
    };
    const look = () => {
      clearTimeout(timer);
      if (editor.state.selection.empty) hide();
      else timer = setTimeout(() => setPlace(placeOf(editor, named.current)), PAUSE);
    };
    const scrolled = () => {
      if (!isHeld.current) hide();
    };
    const scroller = editor.view.dom.closest("[data-scroll]");
    editor.on("selectionUpdate", look);
    scroller?.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      clearTimeout(timer);
      editor.off("selectionUpdate", look);
      scroller?.removeEventListener("scroll", scrolled);
    };
  }, [editor]);
  useEffect(() => {
    if (called === 0 || editor.isDestroyed) return;
    setPlace(placeOf(editor, named.current));
    requestAnimationFrame(() => menu.current?.querySelector("button")?.focus());
  }, [called, editor]);
  if (!place) return null;
  const leave = () => {
    setPlace(undefined);
    showMore(undefined);
    editor.commands.focus(undefined, { scrollIntoView: false });
  };
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      event.preventDefault();
      leave();
    } else if (!(event.target instanceof HTMLTextAreaElement)) rove(event);
  };
  const give = (...given: Parameters<Proposing["give"]>) => {
    leave();
    proposing.give(...given);
  };
  return (
    <div
      ref={menu}
      role="toolbar"
      aria-label={t("write.selection")}
      className={styles.menu}
      style={{
        left: place.left,
        ...(place.isAbove ? { bottom: window.innerHeight - place.top + 6 } : { top: place.bottom + 6 }),
      }}
      onKeyDown={press}
    >
      <div className={styles.row}>
        {passageCommands.map((command) => {
          const isMore = command === "tone" || command === "own";
          return (
            <Button
              key={command}
              kind="plain"
              aria-expanded={isMore ? more === command : undefined}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                if (isMore) showMore(more === command ? undefined : command);
                else give("selection", command);
              }}
            >
              {t(`write.caret.command.${command}`)}
            </Button>
          );
        })}
        {(["bold", "italic"] as const).map((face) => (
          <Button
            key={face}
            kind="plain"
            aria-label={t(`write.${face}`)}
            title={t(`write.${face}`)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => emphasise(editing, face)}
          >
            {face === "bold" ? <Bold size={15} aria-hidden /> : <Italic size={15} aria-hidden />}
          </Button>
        ))}
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
        <Button
          kind="plain"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            setPlace(undefined);
            onComment();
          }}
        >
          <MessageSquarePlus size={15} aria-hidden />
          {t("write.comments.comment")}
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
              { name: place.name.name },
            )}
          </Button>
        )}
      </div>
      {more === "tone" && (
        <div className={styles.row} role="group" aria-label={t("write.caret.command.tone")}>
          {tones.map((tone) => (
            <Button
              key={tone}
              kind="plain"
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => give("selection", "tone", { tone })}
            >
              {t(`write.caret.tones.${tone}`)}
            </Button>
          ))}
        </div>
      )}
      {more === "own" && (
        <OwnWords
          editing={editing}
          label={t("write.caret.own_selection")}
          onSend={(words) => give("selection", "own", { words })}
        />
      )}
    </div>
  );
}

/** Arrow keys go from button to button, as in every toolbar. */
function rove(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(event.target as HTMLButtonElement);
  event.preventDefault();
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}

function placeOf({ state, view, isFocused }: Editing["editor"], nameOf: Props["nameOf"]): Place | undefined {
  const { from, to, empty } = state.selection;
  const text = state.doc.textBetween(from, to, "\n").trim();
  if (empty || text === "" || view.composing || !isFocused) return undefined;
  const start = view.coordsAtPos(from);
  const end = view.coordsAtPos(to);
  const room = window.innerHeight - end.bottom;
  // A finger has the system's own menu above the words.
  const isAbove = start.top > ABOVE && (room < ABOVE || !matchMedia("(pointer: coarse)").matches);
  const width = Math.min(WIDE, window.innerWidth - 16);
  return {
    text,
    name: nameOf(),
    isAbove,
    left: Math.max(8, Math.min(start.left, window.innerWidth - width - 8)),
    top: start.top,
    bottom: Math.min(end.bottom, window.innerHeight - ABOVE),
  };
}
