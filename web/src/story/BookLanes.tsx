import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChapterEdits } from "../chapters/useChapterEdits";
import { isComposing } from "../parts/composing";
import { Menu, type MenuPlace } from "../parts/Menu";
import styles from "./BookLanes.module.css";
import { type Lane, type LanePlace, type LaneWay, moveIn, placeIn, stepIn } from "./bookLanes";
import { LaneCard } from "./LaneCard";
import { type LaneDrag, useLaneDrag } from "./useLaneDrag";

const WAYS: readonly LaneWay[] = ["earlier", "later", "up", "down"];
const KEYS: Record<string, LaneWay> = {
  ArrowLeft: "earlier",
  ArrowRight: "later",
  ArrowUp: "up",
  ArrowDown: "down",
};

type Props = { project: string; lanes: readonly Lane[] };

/** The lanes of a book. Arrow keys go from card to card; with Alt they move the chapter. */
export function BookLanes({ project, lanes }: Props) {
  const { t } = useTranslation();
  const { place } = useChapterEdits(project);
  const frame = useRef<HTMLDivElement>(null);
  const [chosen, choose] = useState("");
  const [menu, setMenu] = useState<{ name: string; at: MenuPlace }>();
  const hasVolumes = lanes.some(({ volume }) => volume);
  const active = placeIn(lanes, chosen) ? chosen : (lanes.flatMap(({ cards }) => cards)[0]?.name ?? "");
  const focus = useCallback((name: string) => {
    choose(name);
    frame.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(name)}"] a`)?.focus();
  }, []);
  // A card moved into another lane is rendered anew, and gets the focus back.
  const moved = useRef<string>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new lanes take the focus away
  useEffect(() => {
    const name = moved.current;
    if (name !== undefined && !frame.current?.contains(document.activeElement)) focus(name);
  }, [lanes, focus]);
  const put = (name: string, to: LanePlace | undefined, byKey: boolean) => {
    const card = placeIn(lanes, name);
    const row = card?.lane.cards[card.index]?.row;
    if (!row || !to) return;
    moved.current = byKey ? name : undefined;
    choose(name);
    void place(row, moveIn(lanes, name, to));
  };
  const drag = useLaneDrag((name, to) => put(name, to, false));
  const latest = useRef({ lanes, put, focus });
  latest.current = { lanes, put, focus };
  const press = useCallback((event: React.KeyboardEvent, name: string) => {
    const way = KEYS[event.key];
    if (!way || isComposing(event)) return;
    event.preventDefault();
    const now = latest.current;
    const to = stepIn(now.lanes, name, way);
    if (event.altKey) return now.put(name, to, true);
    const card = to?.lane.cards[to.index] ?? to?.lane.cards.at(-1);
    if (card) now.focus(card.name);
  }, []);
  const open = useCallback((name: string, at: MenuPlace) => {
    moved.current = undefined;
    setMenu({ name, at });
  }, []);
  const shown = menu && placeIn(lanes, menu.name);
  const title = shown?.lane.cards[shown.index]?.row.title ?? "";
  return (
    <div ref={frame} className={styles.lanes} data-many={lanes.length > 3}>
      {lanes.map((lane, index) => (
        <div key={lane.key} className={styles.part}>
          {hasVolumes && (index === 0 || lane.volume !== lanes[index - 1]?.volume) && (
            <h2 className={styles.volume}>{lane.volume?.name ?? t("story.lanes.none")}</h2>
          )}
          <LaneSection {...{ project, lane, drag, active }} onPress={press} onOpen={open} />
        </div>
      ))}
      {menu && shown && (
        <Menu
          label={t("story.lanes.menu", { title })}
          at={menu.at}
          items={WAYS.filter((way) => stepIn(lanes, menu.name, way)).map((way) => ({
            name: t(`story.lanes.${way}`),
            act: () => put(menu.name, stepIn(lanes, menu.name, way), true),
          }))}
          onClose={() => {
            setMenu(undefined);
            focus(menu.name);
          }}
        />
      )}
    </div>
  );
}

type LaneProps = {
  project: string;
  lane: Lane;
  drag: LaneDrag;
  active: string;
  onPress(event: React.KeyboardEvent, name: string): void;
  onOpen(name: string, at: MenuPlace): void;
};

function LaneSection({ project, lane, drag, active, onPress, onOpen }: LaneProps) {
  const { t } = useTranslation();
  const written = lane.cards.reduce((sum, card) => sum + card.written, 0);
  const length = t("common.characters", { count: written });
  const names = [lane.volume?.name, lane.arc?.name].filter((name) => name !== undefined);
  return (
    <section
      className={styles.lane}
      aria-label={names.join(" · ") || t("story.lanes.none")}
      data-over={drag.sideOf(lane.key)}
      {...drag.lane(lane)}
    >
      <header className={styles.head}>
        {lane.arc && <h3>{lane.arc.name}</h3>}
        {lane.cards.length > 0 && <span>{t("story.lanes.size", { count: lane.cards.length, length })}</span>}
        {lane.open > 0 && <span className={styles.open}>{t("story.lanes.open", { count: lane.open })}</span>}
      </header>
      {lane.cards.length === 0 ? (
        <p className={styles.vacant}>{t("story.lanes.vacant")}</p>
      ) : (
        <ul className={styles.cards}>
          {lane.cards.map((card) => (
            <LaneCard
              key={card.name}
              project={project}
              lane={lane}
              card={card}
              isActive={card.name === active}
              side={drag.sideOf(card.name)}
              handlers={drag.card}
              onPress={onPress}
              onOpen={onOpen}
            />
          ))}
        </ul>
      )}
    </section>
  );
}
