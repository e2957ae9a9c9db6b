import { useState } from "react";
import { useTranslation } from "react-i18next";
import { paint, type Theme, theme, themes } from "../look/theme";
import { Button } from "../parts/Button";
import { hasNotices, wantNotices } from "../runs/news";
import { type Language, language, languages, speak } from "../words";
import styles from "./Look.module.css";
import { Section, Segments, Switch } from "./parts/parts";
import { faces, measures, type ProseLook, proseLook, setProse, sizes, usualLook } from "./prose";

/** How the studio looks in this browser. */
export function Look() {
  const { t } = useTranslation();
  const [painted, choosePaint] = useState<Theme>(theme());
  return (
    <>
      <Section title={t("shell.theme.label")}>
        <div>
          <Segments
            label={t("shell.theme.label")}
            value={painted}
            options={themes.map((name) => [name, t(`shell.theme.${name}`)])}
            onChange={(name) => {
              paint(name);
              choosePaint(name);
            }}
          />
        </div>
      </Section>
      <Section title={t("settings.look.language")}>
        <div>
          <Segments<Language>
            label={t("settings.look.language")}
            value={language()}
            options={languages.map((name) => [name, t(`settings.look.languages.${name}`)])}
            onChange={speak}
          />
        </div>
      </Section>
      <Prose />
      <Notices />
    </>
  );
}

/** Whether the browser tells that a run waits or is over. */
function Notices() {
  const { t } = useTranslation();
  const [isOn, turn] = useState(hasNotices);
  const [isRefused, refuse] = useState(false);
  const want = async (isWanted: boolean) => {
    const isShown = await wantNotices(isWanted);
    turn(isShown);
    refuse(isWanted && !isShown);
  };
  return (
    <Section title={t("settings.look.notices")} about={t("settings.look.notices_about")}>
      <div>
        <Switch
          label={t("settings.look.notices_on")}
          isOn={isOn}
          onChange={(isWanted) => void want(isWanted)}
        />
      </div>
      {isRefused && <p role="alert">{t("settings.look.notices_refused")}</p>}
    </Section>
  );
}

/** How prose is set, with a piece of it that shows what comes of it. */
function Prose() {
  const { t } = useTranslation();
  const [look, see] = useState(proseLook);
  const set = (part: Partial<ProseLook>) => {
    const next = { ...look, ...part };
    setProse(next);
    see(next);
  };
  return (
    <Section
      title={t("settings.look.prose")}
      about={t("settings.look.prose_about")}
      actions={
        <Button kind="plain" onClick={() => set(usualLook)}>
          {t("settings.look.usual")}
        </Button>
      }
    >
      <div className={styles.controls}>
        <Range
          label={t("settings.look.size")}
          told={`${look.size} px`}
          value={look.size}
          {...sizes}
          onChange={(size) => set({ size })}
        />
        <Range
          label={t("settings.look.measure")}
          told={t("settings.look.letters", { count: look.measure })}
          value={look.measure}
          {...measures}
          onChange={(measure) => set({ measure })}
        />
        <Segments
          label={t("settings.look.face")}
          value={look.face}
          options={faces.map((face) => [face, t(`settings.look.faces.${face}`)])}
          onChange={(face) => set({ face })}
        />
      </div>
      <div className={styles.sheet}>
        <div className={styles.prose}>
          <p>{t("settings.look.example_1")}</p>
          <p>{t("settings.look.example_2")}</p>
        </div>
      </div>
    </Section>
  );
}

type RangeProps = {
  label: string;
  told: string;
  value: number;
  least: number;
  most: number;
  onChange: (value: number) => void;
};

function Range({ label, told, value, least, most, onChange }: RangeProps) {
  return (
    <label className={styles.range}>
      <span>
        {label} <output>{told}</output>
      </span>
      <input
        type="range"
        min={least}
        max={most}
        value={value}
        aria-valuetext={told}
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  );
}
