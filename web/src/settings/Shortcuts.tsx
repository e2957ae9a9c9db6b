import { useTranslation } from "react-i18next";
import { Section } from "./parts/parts";
import styles from "./Shortcuts.module.css";

/** The keys of the studio, by where they act. */
const sheet = {
  everywhere: { palette: "Ctrl K", focus: "Ctrl .", close: "Esc" },
  writing: {
    save: "Ctrl S",
    undo: "Ctrl Z",
    redo: "Ctrl Shift Z",
    find: "Ctrl F",
    bold: "Ctrl B",
    italic: "Ctrl I",
    comment: "Ctrl Alt M",
    accept: "Alt Enter",
    reject: "Alt Backspace",
    next: "Alt ]",
    back: "Alt [",
    point: "@",
    who: "Alt /",
    go_on: "Ctrl Enter",
    commands: "Alt J",
    slash: "/",
  },
  agents: { send: "Enter", line: "Shift Enter", point: "@" },
  lists: { move: "↑ ↓", fold: "← →", ends: "Home End", open: "Enter", order: "Alt ↑ ↓", rename: "F2" },
} as const;

/** Which keys do what. */
export function Shortcuts() {
  const { t } = useTranslation();
  const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);
  const shown = (keys: string) => (isApple ? keys.replace("Ctrl", "⌘").replace("Alt", "⌥") : keys).split(" ");
  const rows = <Group extends keyof typeof sheet>(group: Group) => Object.entries(sheet[group]);
  return (
    <Section title={t("settings.tab.shortcuts")} about={t("settings.shortcuts.about")}>
      <div className={styles.groups}>
        {(Object.keys(sheet) as (keyof typeof sheet)[]).map((group) => (
          <section key={group} aria-label={t(`settings.shortcuts.${group}.title`)}>
            <h3>{t(`settings.shortcuts.${group}.title`)}</h3>
            <dl>
              {rows(group).map(([name, keys]) => (
                <div key={name}>
                  <dt>
                    {t(`settings.shortcuts.${group}.${name}` as "settings.shortcuts.everywhere.palette")}
                  </dt>
                  <dd>
                    {shown(keys).map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Section>
  );
}
