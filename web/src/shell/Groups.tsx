import { ChevronDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { at, type Group, groupsOf, placeAt } from "./places";
import styles from "./TopBar.module.css";

type Props = { project: string; isContent: boolean };

/** The menu of a project in the bar: its groups, each of which opens the list of its pages. */
export function Groups({ project, isContent }: Props) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const [open, show] = useState<string>();
  const frame = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is closed once a page is chosen
  useEffect(() => show(undefined), [location]);
  useEffect(() => {
    if (open === undefined) return;
    const leave = (event: PointerEvent) => {
      if (!(event.target instanceof Node) || !frame.current?.contains(event.target)) show(undefined);
    };
    addEventListener("pointerdown", leave);
    return () => removeEventListener("pointerdown", leave);
  }, [open]);
  return (
    <nav
      ref={frame}
      className={styles.groups}
      aria-label={t("shell.project")}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || open === undefined) return;
        show(undefined);
        frame.current?.querySelector<HTMLElement>(`[data-group="${open}"]`)?.focus();
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) show(undefined);
      }}
    >
      {groupsOf(isContent).map((group) => (
        <div key={group.name} className={styles.group}>
          <GroupButton
            project={project}
            group={group}
            isOpen={open === group.name}
            onTurn={() => show(open === group.name ? undefined : group.name)}
          />
          {open === group.name && (
            <div id={`group-${group.name}`} className={styles.list}>
              <PlaceLinks project={project} group={group} />
            </div>
          )}
        </div>
      ))}
    </nav>
  );
}

type ButtonProps = { project: string; group: Group; isOpen: boolean; onTurn: () => void };

function GroupButton({ project, group, isOpen, onTurn }: ButtonProps) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const here = placeAt(project, location);
  const isHere = here !== undefined && group.places.includes(here);
  const name = t(`shell.groups.${group.name}`);
  const place = isHere ? t(`shell.nav.${here}`) : name;
  return (
    <button
      type="button"
      className={styles.opener}
      data-group={group.name}
      data-here={isHere}
      aria-expanded={isOpen}
      aria-controls={isOpen ? `group-${group.name}` : undefined}
      onClick={onTurn}
    >
      {name}
      {place !== name && <span className={styles.here}>{place}</span>}
      <ChevronDown size={14} aria-hidden />
    </button>
  );
}

/** The pages of a group. */
export function PlaceLinks({ project, group }: { project: string; group: Group }) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const here = placeAt(project, location);
  return group.places.map((place) => (
    <Link
      key={place}
      href={at.place(project, place)}
      aria-current={place === here ? "page" : undefined}
      className={styles.place}
    >
      {t(`shell.nav.${place}`)}
    </Link>
  ));
}
