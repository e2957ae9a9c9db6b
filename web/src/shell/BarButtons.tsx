import { Command, Focus, Languages, Moon, PanelLeft, PanelRight, Sun, SunMoon } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { paint, type Theme, theme, themes } from "../look/theme";
import { Button } from "../parts/Button";
import { language, speak } from "../words";
import { type Side, useShell } from "./state";
import styles from "./TopBar.module.css";

const faces = { system: SunMoon, light: Sun, dark: Moon } satisfies Record<Theme, typeof Sun>;

export function FocusButton() {
  const { t } = useTranslation();
  const { isFocused, focus } = useShell();
  const name = isFocused ? t("shell.focus_off") : t("shell.focus");
  return (
    <Button
      kind="plain"
      aria-pressed={isFocused}
      aria-label={name}
      onClick={() => focus(!isFocused)}
      title="Ctrl+."
    >
      <Focus size={16} aria-hidden />
      <span className={styles.label}>{name}</span>
    </Button>
  );
}

const edges = { left: PanelLeft, right: PanelRight } satisfies Record<Side, typeof Sun>;

/** Shows a column beside the page, or folds it away. */
export function ColumnButton({ side }: { side: Side }) {
  const { t } = useTranslation();
  const { folded, fold } = useShell();
  const Edge = edges[side];
  const name = t(`shell.column.${side}`);
  return (
    <Button
      kind="plain"
      aria-expanded={!folded[side]}
      aria-label={name}
      onClick={() => fold(side, !folded[side])}
      title={name}
    >
      <Edge size={16} aria-hidden />
    </Button>
  );
}

export function PaletteButton() {
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

export function ThemeButton() {
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

export function LanguageButton() {
  const { t } = useTranslation();
  return (
    <Button
      kind="plain"
      onClick={() => speak(language() === "zh" ? "en" : "zh")}
      aria-label={t("shell.language")}
      title={t("shell.language")}
    >
      <Languages size={16} aria-hidden />
      <span className={styles.label}>{t("shell.language")}</span>
    </Button>
  );
}
