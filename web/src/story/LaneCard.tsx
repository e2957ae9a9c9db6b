import { Ellipsis } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { addressOf } from "../chapters/list";
import type { MenuPlace } from "../parts/Menu";
import { useNumbers } from "../parts/numbers";
import { at } from "../shell/places";
import styles from "./BookLanes.module.css";
import type { Card, Lane } from "./bookLanes";
import type { LaneDrag } from "./useLaneDrag";

type Props = {
  project: string;
  lane: Lane;
  card: Card;
  /** Whether the Tab key stops here. */
  isActive: boolean;
  /** The side of the card on which a dragged card would be dropped. */
  side: "before" | "after" | "end" | undefined;
  handlers: LaneDrag["card"];
  onPress(event: React.KeyboardEvent, name: string): void;
  onOpen(name: string, at: MenuPlace): void;
};

/** A chapter as a card: its title leads to the text. */
export const LaneCard = memo(function LaneCard({ project, lane, card, isActive, side, ...on }: Props) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const { name, row, status, written, goal, label } = card;
  const length =
    goal > 0
      ? `${whole(written)} / ${whole(goal)}`
      : written > 0
        ? t("common.characters", { count: written })
        : "";
  const stop = isActive ? 0 : -1;
  return (
    <li
      className={styles.card}
      data-card={name}
      data-status={status}
      data-side={side}
      {...on.handlers(lane, name)}
    >
      <div className={styles.top}>
        <Link
          href={at.chapter(project, addressOf(row))}
          className={styles.title}
          tabIndex={stop}
          draggable={false}
          aria-keyshortcuts="Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown"
          onKeyDown={(event) => on.onPress(event, name)}
        >
          <span className={styles.place}>{row.place}</span>
          {row.title}
        </Link>
        <button
          type="button"
          className={styles.more}
          tabIndex={stop}
          aria-haspopup="menu"
          aria-label={t("story.lanes.menu", { title: row.title })}
          onClick={(event) => {
            const { left, bottom } = event.currentTarget.getBoundingClientRect();
            on.onOpen(name, { left, top: bottom });
          }}
        >
          <Ellipsis size={16} aria-hidden />
        </button>
      </div>
      {label && (
        <span className={styles.label} title={t("story.lanes.label", { label })}>
          {label}
        </span>
      )}
      <span className={styles.foot}>
        <span>{t(`story.lanes.status.${status}`)}</span>
        <span className={styles.length}>{length}</span>
      </span>
    </li>
  );
});
