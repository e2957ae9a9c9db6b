import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { TextField } from "../parts/Field";
import { base64 } from "../parts/files";
import { Failed } from "../parts/states";
import styles from "./CardPicture.module.css";
import { Section } from "./parts";
import { type Shown, setPicture, usePicture } from "./pictures";

type Props = { project: string; card: string; name: string };

/** The picture of a card: chosen or dropped here, described, replaced and removed. */
export function CardPicture({ project, card, name }: Props) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const shown = usePicture(project, card);
  const [isOver, over] = useState(false);
  const set = useMutation({
    mutationFn: async ({ picture, alt }: { picture: File | string; alt: string }) =>
      setPicture(project, card, typeof picture === "string" ? picture : await base64(picture), alt),
  });
  const put = (file: File | undefined) => file && set.mutate({ picture: file, alt: shown?.alt ?? "" });
  return (
    <Section title={t("story.picture.title")}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button does the same as dropping a file */}
      <div
        className={styles.place}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault();
          over(true);
        }}
        onDragLeave={() => over(false)}
        onDrop={(event) => {
          event.preventDefault();
          over(false);
          put(event.dataTransfer.files[0]);
        }}
      >
        {shown && (
          <img
            className={styles.picture}
            src={shown.src}
            alt={shown.alt || t("story.picture.of", { name })}
          />
        )}
        <div className={styles.orders}>
          <div className={styles.buttons}>
            <Button disabled={set.isPending} onClick={() => input.current?.click()}>
              {t(shown ? "story.picture.change" : "story.picture.add")}
            </Button>
            {shown && (
              <Button
                kind="plain"
                disabled={set.isPending}
                onClick={() => set.mutate({ picture: "", alt: "" })}
              >
                {t("story.picture.remove")}
              </Button>
            )}
          </div>
          <Dim>{t("story.picture.drop")}</Dim>
          {shown && (
            <Description
              key={shown.alt}
              shown={shown}
              isBusy={set.isPending}
              save={(alt) => set.mutate({ picture: shown.base64, alt })}
            />
          )}
          {set.error && <Failed error={set.error} />}
        </div>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="unseen"
          aria-label={t(shown ? "story.picture.change" : "story.picture.add")}
          tabIndex={-1}
          onChange={(event) => {
            put(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
    </Section>
  );
}

type DescriptionProps = { shown: Shown; isBusy: boolean; save: (alt: string) => void };

/** What a reader is told who does not see the picture. */
function Description({ shown, isBusy, save }: DescriptionProps) {
  const { t } = useTranslation();
  const [alt, write] = useState(shown.alt);
  return (
    <form
      className={styles.description}
      onSubmit={(event) => {
        event.preventDefault();
        save(alt.trim());
      }}
    >
      <TextField
        label={t("story.picture.alt")}
        value={alt}
        maxLength={500}
        onChange={(event) => write(event.target.value)}
      />
      <Button type="submit" disabled={isBusy || alt.trim() === shown.alt}>
        {t("story.picture.save_alt")}
      </Button>
    </form>
  );
}

/** A small picture beside the name of a card, where there is one. */
export function Thumbnail({ project, card }: Pick<Props, "project" | "card">) {
  const shown = usePicture(project, card);
  return shown ? <img className={styles.thumbnail} src={shown.src} alt="" /> : null;
}
