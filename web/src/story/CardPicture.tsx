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
import { type PictureChange, setPicture, useCardPicture, usePicture } from "./pictures";

type Props = { project: string; card: string; name: string };

/** The picture of a card: chosen or dropped here, described, replaced and removed. */
export function CardPicture({ project, card, name }: Props) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const { row, shown, isPending, error, retry } = useCardPicture(project, card);
  const [isOver, over] = useState(false);
  const set = useMutation({
    mutationFn: async ({ file, ...change }: PictureChange & { file?: File }) =>
      setPicture(project, card, file ? { ...change, picture: await base64(file) } : change),
  });
  // Until it is known whether there is a picture, and while one is saved.
  const isBusy = set.isPending || isPending;
  // A file that is dropped before that is known is taken.
  const put = (file: File | undefined) => file && !set.isPending && set.mutate({ file });
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
          {error && <Failed error={error} onRetry={retry} />}
          <div className={styles.buttons}>
            <Button disabled={isBusy} onClick={() => input.current?.click()}>
              {t(row ? "story.picture.change" : "story.picture.add")}
            </Button>
            {row && (
              <Button kind="plain" disabled={isBusy} onClick={() => set.mutate({ remove: true })}>
                {t("story.picture.remove")}
              </Button>
            )}
          </div>
          <Dim>{t("story.picture.drop")}</Dim>
          {row && (
            <Description key={card} alt={row.alt} isBusy={isBusy} save={(alt) => set.mutate({ alt })} />
          )}
          {set.error && <Failed error={set.error} />}
        </div>
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          hidden
          onChange={(event) => {
            put(event.target.files?.[0]);
            event.target.value = "";
          }}
        />
      </div>
    </Section>
  );
}

type DescriptionProps = { alt: string; isBusy: boolean; save: (alt: string) => void };

/** What a reader is told who does not see the picture. A draft stays when the picture is replaced. */
function Description({ alt, isBusy, save }: DescriptionProps) {
  const { t } = useTranslation();
  const [draft, write] = useState(alt);
  // Not `disabled`, which would take the focus away from the button that was pressed.
  const isIdle = isBusy || draft.trim() === alt;
  return (
    <form
      className={styles.description}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isIdle) save(draft.trim());
      }}
    >
      <TextField
        label={t("story.picture.alt")}
        value={draft}
        maxLength={500}
        onChange={(event) => write(event.target.value)}
      />
      <Button type="submit" aria-disabled={isIdle}>
        {t("story.picture.save_alt")}
      </Button>
    </form>
  );
}

type ThumbnailProps = Pick<Props, "project" | "card"> & {
  /** Whether it is one of many on the page. */
  isListed?: boolean;
};

/** A small picture beside the name of a card, where there is one. */
export function Thumbnail({ project, card, isListed = false }: ThumbnailProps) {
  const shown = usePicture(project, card, isListed);
  return shown ? <img className={styles.thumbnail} src={shown.src} alt={shown.alt} /> : null;
}
