import { Command, Focus, Languages, Moon, Settings, Sun, SunMoon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useOpenRuns, useProject } from "../api/queries";
import { paint, type Theme, theme, themes } from "../look/theme";
import { Button } from "../parts/Button";
import { language, speak } from "../words";
import { at, placesOf } from "./places";
import { useShell } from "./state";
import styles from "./TopBar.module.css";

const faces = { system: SunMoon, light: Sun, dark: Moon } satisfies Record<Theme, typeof Sun>;

/** The bar over everything: where one is, where one can go, what waits. */
export function TopBar({ project }: { project: string | undefined }) {
  const { t } = useTranslation();
  return (
    <header className={styles.bar}>
      <Link href={at.shelf} className={styles.name}>
        {t("shell.name")}
      </Link>
      {project !== undefined && <Places project={project} />}
      <div className={styles.right}>
        <Runs />
        {project !== undefined && <FocusButton />}
        <PaletteButton />
        <ThemeButton />
        <Button
          kind="plain"
          onClick={() => speak(language() === "zh" ? "en" : "zh")}
          title={t("shell.language")}
        >
          <Languages size={16} aria-hidden />
          {t("shell.language")}
        </Button>
        <Link href={at.settings} className={styles.gear} aria-label={t("shell.nav.settings")}>
          <Settings size={16} aria-hidden />
        </Link>
      </div>
    </header>
  );
}

function Places({ project }: { project: string }) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const { data } = useProject(project);
  const isContent = Boolean(data?.story.production);
  const places = placesOf(isContent);
  const frame = useRef<HTMLElement>(null);
  // Where there is little room, where one is must be in sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place, or others to go to, are looked at anew
  useEffect(() => {
    frame.current
      ?.querySelector('[aria-current="page"]')
      ?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [location, isContent]);
  return (
    <>
      <Link href={at.project(project)} className={styles.title}>
        {data?.project.title ?? project}
      </Link>
      <nav ref={frame} className={styles.places} aria-label={t("shell.project")}>
        {places.map((place) => {
          const href = at.place(project, place);
          const isHere = location === href || location.startsWith(`${href}/`);
          return (
            <Link key={place} href={href} aria-current={isHere ? "page" : undefined}>
              {t(`shell.nav.${place}`)}
            </Link>
          );
        })}
      </nav>
    </>
  );
}

function Runs() {
  const { t } = useTranslation();
  const { data: runs = [] } = useOpenRuns();
  const waiting = runs.filter((run) => run.status === "waiting").length;
  const working = runs.filter((run) => run.status === "running");
  const first = working[0];
  return (
    <>
      {waiting > 0 && (
        <Link href={at.inbox} className={styles.waiting}>
          {t("shell.waiting", { count: waiting })}
        </Link>
      )}
      {first && (
        <Link href={at.run(first.project, first.run)} className={styles.working}>
          {t("shell.working", { count: working.length })}
        </Link>
      )}
    </>
  );
}

function FocusButton() {
  const { t } = useTranslation();
  const { isFocused, focus } = useShell();
  return (
    <Button kind="plain" aria-pressed={isFocused} onClick={() => focus(!isFocused)} title="Ctrl+.">
      <Focus size={16} aria-hidden />
      {isFocused ? t("shell.focus_off") : t("shell.focus")}
    </Button>
  );
}

function PaletteButton() {
  const { t } = useTranslation();
  const openPalette = useShell((shell) => shell.openPalette);
  return (
    <Button
      kind="plain"
      onClick={() => openPalette(true)}
      aria-label={t("shell.palette.label")}
      title="Ctrl+K"
    >
      <Command size={16} aria-hidden />
    </Button>
  );
}

function ThemeButton() {
  const { t } = useTranslation();
  const [chosen, choose] = useState(theme);
  const next = themes[(themes.indexOf(chosen) + 1) % themes.length] ?? "system";
  const Face = faces[chosen];
  const turn = () => {
    paint(next);
    choose(next);
  };
  return (
    <Button
      kind="plain"
      onClick={turn}
      aria-label={`${t("shell.theme.label")}: ${t(`shell.theme.${chosen}`)}`}
    >
      <Face size={16} aria-hidden />
    </Button>
  );
}
