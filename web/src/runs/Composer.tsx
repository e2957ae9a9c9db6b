import { ArrowUp } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Story } from "../api/story";
import { Button } from "../parts/Button";
import styles from "./Composer.module.css";
import { type Mention, matching, mentionAt, mentionsOf, withMention } from "./mentions";

export type Mode = "do" | "ask";

type Props = {
  story: Story | undefined;
  /** Whether nothing can be set to work now; questions can be asked all the same. */
  isBusy: boolean;
  onSay(text: string): void;
  onAsk(question: string): void;
};

/** Where the author tells the agents what to do, or asks the book. */
export function Composer({ story, isBusy, onSay, onAsk }: Props) {
  const { t } = useTranslation();
  const [text, type] = useState("");
  const [mode, turn] = useState<Mode>("do");
  const field = useRef<HTMLTextAreaElement>(null);
  const mentioning = useMentioning(story, text, type, field);
  useQuoted(type, field);
  const words = text.trim();
  const canSend = words !== "" && (mode === "ask" || !isBusy);
  const send = () => {
    if (!canSend) return;
    (mode === "ask" ? onAsk : onSay)(words);
    type("");
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (mentioning.press(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    }
  };
  const hint = mode === "ask" ? "ask_hint" : story?.production ? "say_hint" : "do_hint";
  return (
    <div className={styles.composer}>
      <MentionList mentioning={mentioning} />
      <div className={styles.box}>
        <textarea
          ref={field}
          rows={2}
          value={text}
          aria-label={t("runs.composer.label")}
          placeholder={t(`runs.composer.${hint}`)}
          aria-haspopup="listbox"
          aria-controls={mentioning.found.length > 0 ? mentioning.id : undefined}
          aria-autocomplete="list"
          aria-activedescendant={
            mentioning.found.length > 0 ? `${mentioning.id}-${mentioning.active}` : undefined
          }
          onChange={(event) => {
            type(event.target.value);
            mentioning.look(event.target.value, event.target.selectionStart);
          }}
          onKeyDown={press}
          onBlur={mentioning.close}
        />
        <div className={styles.bar}>
          <ModeSwitch mode={mode} onTurn={turn} />
          <span className={styles.keys}>
            {isBusy && mode === "do" ? t("runs.composer.busy") : t("runs.composer.keys")}
          </span>
          <Button
            kind="main"
            onClick={send}
            disabled={!canSend}
            aria-label={t("common.send")}
            className={styles.send}
          >
            <ArrowUp size={16} aria-hidden />
          </Button>
        </div>
      </div>
    </div>
  );
}

function ModeSwitch({ mode, onTurn }: { mode: Mode; onTurn(mode: Mode): void }) {
  const { t } = useTranslation();
  return (
    <div className={styles.modes} role="group" aria-label={t("runs.composer.mode")}>
      {(["do", "ask"] as const).map((one) => (
        <button key={one} type="button" aria-pressed={mode === one} onClick={() => onTurn(one)}>
          {t(`runs.composer.${one}`)}
        </button>
      ))}
    </div>
  );
}

type Field = React.RefObject<HTMLTextAreaElement | null>;

/** What is offered while the author points with @. */
function useMentioning(story: Story | undefined, text: string, type: (text: string) => void, field: Field) {
  const id = useId();
  const [at, point] = useState<{ from: number; word: string } | undefined>();
  const [active, setActive] = useState(0);
  const mentions = useMemo(() => (story ? mentionsOf(story) : []), [story]);
  const found = at ? matching(mentions, at.word) : [];
  const close = () => point(undefined);
  const look = (text: string, caret: number) => {
    point(mentionAt(text, caret));
    setActive(0);
  };
  const pick = (mention: Mention) => {
    const target = field.current;
    if (!at || !target) return;
    const next = withMention(text, target.selectionStart, at.from, mention);
    type(next.text);
    close();
    target.focus();
    requestAnimationFrame(() => target.setSelectionRange(next.caret, next.caret));
  };
  /** Whether the key was meant for the list. */
  const press = (event: KeyboardEvent): boolean => {
    const chosen = found[active];
    if (!chosen) return false;
    const steps: Record<string, () => void> = {
      ArrowDown: () => setActive((active + 1) % found.length),
      ArrowUp: () => setActive((active + found.length - 1) % found.length),
      Enter: () => pick(chosen),
      Tab: () => pick(chosen),
      Escape: close,
    };
    const step = steps[event.key];
    if (!step || (event.key === "Enter" && event.shiftKey)) return false;
    event.preventDefault();
    step();
    return true;
  };
  return { id, found, active, look, close, pick, press };
}

function MentionList({ mentioning }: { mentioning: ReturnType<typeof useMentioning> }) {
  const { t } = useTranslation();
  const { id, found, active, pick } = mentioning;
  if (found.length === 0) return null;
  return (
    <div id={id} className={styles.mentions} role="listbox" aria-label={t("runs.composer.mentions")}>
      {found.map((mention, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the text field has the focus, and names the active one
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field takes the keys
        <div
          key={`${mention.kind}/${mention.id}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => pick(mention)}
        >
          <span>{mention.name}</span>
          <small>
            {mention.kind === "field" ? mention.also[0] : t(`runs.composer.kind.${mention.kind}`)}
          </small>
        </div>
      ))}
    </div>
  );
}

/** Text that is quoted elsewhere in the studio, by the event `qingyu:ask`, is put before what stands here. */
function useQuoted(type: (change: (text: string) => string) => void, field: Field): void {
  useEffect(() => {
    const quote = (event: Event) => {
      const { detail } = event as CustomEvent<{ text?: unknown }>;
      if (typeof detail?.text !== "string" || detail.text.trim() === "") return;
      const quoted = detail.text
        .trim()
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n");
      type((text) => (text.trim() ? `${text.trimEnd()}\n${quoted}\n` : `${quoted}\n`));
      const target = field.current;
      if (!target) return;
      target.focus();
      requestAnimationFrame(() => target.setSelectionRange(target.value.length, target.value.length));
    };
    addEventListener("qingyu:ask", quote);
    return () => removeEventListener("qingyu:ask", quote);
  }, [type, field]);
}
