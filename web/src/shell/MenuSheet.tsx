import { Menu, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { Button } from "../parts/Button";
import { FocusButton, LanguageButton, PaletteButton, ThemeButton } from "./BarButtons";
import { PlaceLinks } from "./Groups";
import styles from "./MenuSheet.module.css";
import { at, groupsOf } from "./places";
import barStyles from "./TopBar.module.css";

type Props = { project: string | undefined; isContent: boolean };

/** On narrow screens: a button that opens everything that the bar holds on wide ones. */
export function MenuSheet({ project, isContent }: Props) {
  const { t } = useTranslation();
  const [location] = useLocation();
  const sheet = useRef<HTMLDialogElement>(null);
  const close = () => sheet.current?.close();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the sheet is closed once a page is chosen
  useEffect(close, [location]);
  return (
    <>
      <Button
        kind="plain"
        className={styles.opener}
        aria-label={t("shell.menu")}
        aria-haspopup="dialog"
        onClick={() => sheet.current?.showModal()}
      >
        <Menu size={20} aria-hidden />
      </Button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it as well */}
      <dialog
        ref={sheet}
        className={styles.sheet}
        aria-label={t("shell.menu")}
        onClick={(event) => event.target === event.currentTarget && close()}
      >
        <div className={styles.inner}>
          <Button kind="plain" className={styles.close} aria-label={t("common.close")} onClick={close}>
            <X size={20} aria-hidden />
          </Button>
          {project !== undefined && (
            <nav aria-label={t("shell.project")} className={styles.groups}>
              {groupsOf(isContent).map((group) => (
                <section key={group.name}>
                  <h2>{t(`shell.groups.${group.name}`)}</h2>
                  <PlaceLinks project={project} group={group} />
                </section>
              ))}
            </nav>
          )}
          <nav aria-label={t("shell.studio")} className={styles.groups}>
            <section>
              <h2>{t("shell.studio")}</h2>
              {(["shelf", "inbox", "settings"] as const).map((place) => (
                <Link
                  key={place}
                  href={at[place]}
                  className={barStyles.place}
                  aria-current={location === at[place] ? "page" : undefined}
                >
                  {project !== undefined && place === "settings"
                    ? t("shell.all_settings")
                    : t(`shell.nav.${place}`)}
                </Link>
              ))}
            </section>
          </nav>
          {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the buttons within take the keys */}
          <div className={styles.acts} onClick={close}>
            <PaletteButton />
            {project !== undefined && <FocusButton />}
            <ThemeButton />
            <LanguageButton />
          </div>
        </div>
      </dialog>
    </>
  );
}
