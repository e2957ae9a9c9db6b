import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useChapters, useProject, useProjects } from "../api/queries";
import { chaptersOf } from "../chapters/list";
import { isComposing } from "../parts/composing";
import styles from "./Palette.module.css";
import { at, type Place, placesOf } from "./places";
import { useShell } from "./state";

type Goal = { key: string; title: string; kind: string; href: string };

const MOST = 40;

/** Ctrl+K: anywhere by typing a part of its name. */
export function Palette({ project }: { project: string | undefined }) {
  const isOpen = useShell((shell) => shell.isPaletteOpen);
  return isOpen ? project === undefined ? <Open goals={[]} /> : <InProject project={project} /> : null;
}

function InProject({ project }: { project: string }) {
  const { t } = useTranslation();
  const { data } = useProject(project);
  const { data: list } = useChapters(project);
  const goals = useMemo(() => {
    const places: readonly Place[] = placesOf(Boolean(data?.story.production));
    const pages = places.map((place) => ({
      key: place,
      title: t(`shell.nav.${place}`),
      kind: t("shell.project"),
      href: at.place(project, place),
    }));
    if (!data) return pages;
    const chapters = chaptersOf(list?.chapters ?? [], data.story).map(({ id, number, title }) => ({
      key: id,
      title: `${number ?? ""} ${title}`.trim(),
      kind: t("shell.chapters"),
      href: at.chapter(project, id),
    }));
    const cast = data.story.characters.map((character) => ({
      key: character.id,
      title: [character.name, ...character.alias].join(" · "),
      kind: t("shell.nav.characters"),
      href: at.character(project, character.id),
    }));
    return [...pages, ...chapters, ...cast];
  }, [data, list, project, t]);
  return <Open goals={goals} />;
}

function Open({ goals }: { goals: readonly Goal[] }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const openPalette = useShell((shell) => shell.openPalette);
  const close = () => openPalette(false);
  const { data: projects = [] } = useProjects();
  const [typed, type] = useState("");
  const [chosen, choose] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    input.current?.focus();
    return () => (before instanceof HTMLElement ? before.focus() : undefined);
  }, []);
  const books = projects.map((row) => ({
    key: row.project,
    title: row.title,
    kind: t("shell.nav.shelf"),
    href: at.project(row.project),
  }));
  const wanted = typed.trim().toLowerCase();
  const shown = [...goals, ...books]
    .filter((goal) => goal.title.toLowerCase().includes(wanted))
    .slice(0, MOST);
  const leave = (goal: Goal | undefined) => {
    if (!goal) return;
    close();
    go(goal.href);
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter") leave(shown[chosen]);
    else if (event.key === "ArrowDown") choose(Math.min(shown.length - 1, chosen + 1));
    else if (event.key === "ArrowUp") choose(Math.max(0, chosen - 1));
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click beside the palette shuts it; Escape does as well
    <div className={styles.veil} onMouseDown={(event) => event.target === event.currentTarget && close()}>
      <div className={styles.palette} role="dialog" aria-modal="true" aria-label={t("shell.palette.label")}>
        <input
          ref={input}
          role="combobox"
          aria-expanded="true"
          aria-controls="palette"
          aria-activedescendant={shown[chosen] && `goal-${chosen}`}
          aria-label={t("shell.palette.label")}
          placeholder={t("shell.palette.placeholder")}
          value={typed}
          onChange={(event) => {
            type(event.target.value);
            choose(0);
          }}
          onKeyDown={press}
        />
        <ul id="palette" role="listbox" aria-label={t("shell.palette.label")}>
          {shown.map((goal, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the input has the focus, and names the chosen goal
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input takes the keys
            <li
              key={goal.href + goal.key}
              id={`goal-${index}`}
              role="option"
              aria-selected={index === chosen}
              onClick={() => leave(goal)}
            >
              {goal.title}
              <small>{goal.kind}</small>
            </li>
          ))}
        </ul>
        {shown.length === 0 && <p className={styles.nothing}>{t("shell.palette.nothing")}</p>}
      </div>
    </div>
  );
}
