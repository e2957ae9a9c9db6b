import { ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, memo, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useChapters } from "../api/queries";
import type { Story } from "../api/story";
import { type Chapter, chaptersOf } from "../chapters/list";
import { Button } from "../parts/Button";
import { isComposing } from "../parts/composing";
import { SeriesSwitch } from "../settings/SeriesSwitch";
import { placeAt } from "../shell/places";
import { numberIn } from "../words/chapters";
import styles from "./Composer.module.css";
import { type Mention, matching, mentionAt, mentionsOf, withMention } from "./mentions";
import { type Target, targetOf } from "./target";
import { type Place, useWhere } from "./where";

export type Mode = "do" | "ask";

type Props = {
  project: string;
  story: Story | undefined;
  /** Whether nothing can be set to work now; questions can be asked all the same. */
  isBusy: boolean;
  onSay(text: string, place: Place | undefined): void;
  onAsk(question: string, series: boolean): void;
};

/** Where the author tells the agents what to do, or asks the book. */
export function Composer({ project, story, isBusy, onSay, onAsk }: Props) {
  const { t } = useTranslation();
  const [text, type] = useState("");
  const [mode, turn] = useState<Mode>("do");
  const [series, reach] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const mentions = useMemo(() => (story ? mentionsOf(story) : []), [story]);
  const mentioning = useMentioning(mentions, text, type, field);
  useQuoted(type, field);
  const words = text.trim();
  // A production is worked on as a whole: its orders are for no chapter.
  const novel = story?.production ? undefined : story;
  const aiming = useAiming(project, novel, mentions, words);
  const canSend = words !== "" && (mode === "ask" || !isBusy);
  const send = () => {
    if (!canSend) return;
    type("");
    if (mode === "ask") onAsk(words, series);
    else if (!novel) onSay(words, undefined);
    else void aiming.place().then((place) => onSay(words, place));
  };
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return;
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
        {mode === "do" && novel && <Aim aiming={aiming} />}
        {mode === "ask" && novel && (
          <SeriesSwitch project={project} label={t("runs.composer.series")} isOn={series} onChange={reach} />
        )}
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

type Aiming = {
  target: Target;
  chapters: readonly Chapter[];
  /** How many characters are selected and may be changed alone. */
  selected: number;
  choose(chapter: string | null): void;
  /** Leaves the selection out. */
  widen(): void;
  /** Returns what the order carries of the place where it is given. */
  place(): Promise<Place>;
};

const NONE: readonly Chapter[] = [];

/** The chapter and the words that an order is for. */
function useAiming(
  project: string,
  novel: Story | undefined,
  mentions: readonly Mention[],
  words: string,
): Aiming {
  const [location] = useLocation();
  const where = useWhere();
  const open = where.chapter?.project === project ? where.chapter.id : undefined;
  const desk = where.desk?.project === project ? where.desk : undefined;
  // A choice holds as long as the author stays where it was made.
  const [choice, setChoice] = useState<{ at: string | undefined; chapter: string | null }>();
  const [wide, setWide] = useState<typeof where.selected>();
  const { data: list } = useChapters(project, novel !== undefined);
  const chapters = useMemo(() => (novel ? chaptersOf(list?.chapters ?? [], novel) : NONE), [list, novel]);
  const chosen = choice && choice.at === open ? choice.chapter : undefined;
  const target = useMemo(
    () => targetOf(words, chapters, mentions, chosen, open),
    [words, chapters, mentions, chosen, open],
  );
  const isHere = target.chapter !== undefined && target.chapter.id === open;
  const selected = isHere && desk && wide !== where.selected ? (where.selected?.length ?? 0) : 0;
  return {
    target,
    chapters,
    selected,
    choose: (chapter) => setChoice({ at: open, chapter }),
    widen: () => setWide(where.selected),
    place: async () => ({
      chapter: target.chapter?.id,
      range: selected > 0 ? await desk?.selection() : undefined,
      caret: isHere ? where.selected?.caret : undefined,
      view: placeAt(project, location) ?? "overview",
    }),
  };
}

/** Says which chapter an order is for, and lets the author choose another one. */
function Aim({ aiming }: { aiming: Aiming }) {
  const { t } = useTranslation();
  const { target, chapters, selected } = aiming;
  const isSaid = target.by === "words";
  return (
    <div className={styles.aim}>
      <label>
        <span>{t("runs.composer.for")}</span>
        <select
          value={target.chapter?.id ?? ""}
          disabled={isSaid}
          title={isSaid ? t("runs.composer.for_words") : undefined}
          onChange={(event) => aiming.choose(event.target.value || null)}
        >
          <option value="">{t("runs.composer.for_book")}</option>
          <ChapterOptions chapters={chapters} />
        </select>
      </label>
      {isSaid && <small>{t("runs.composer.for_words")}</small>}
      {selected > 0 && (
        <span className={styles.selected}>
          {t("runs.composer.selected", { count: selected })}
          <button type="button" aria-label={t("runs.composer.widen")} onClick={aiming.widen}>
            <X size={13} aria-hidden />
          </button>
        </span>
      )}
    </div>
  );
}

/** The chapters of a book, of which there may be a thousand: they are not drawn anew with each key. */
const ChapterOptions = memo(function ChapterOptions({ chapters }: { chapters: readonly Chapter[] }) {
  const { t } = useTranslation();
  return chapters.map(({ id, number, title }) => (
    <option key={id} value={id}>
      {nameOf(title, number === undefined ? undefined : t("common.chapter", { number }))}
    </option>
  ));
});

/** A title that says its own number is not given another. */
function nameOf(title: string, number: string | undefined): string {
  return number === undefined || numberIn(title) !== undefined ? title : `${number} ${title}`;
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
function useMentioning(
  mentions: readonly Mention[],
  text: string,
  type: (text: string) => void,
  field: Field,
) {
  const id = useId();
  const [at, point] = useState<{ from: number; word: string } | undefined>();
  const [active, setActive] = useState(0);
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
