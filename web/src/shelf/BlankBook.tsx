import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { answer, http } from "../api/client";
import { changed } from "../api/queries";
import { useChapterState } from "../chapters/state";
import { addText, editChapters } from "../chapters/wire";
import { Button } from "../parts/Button";
import { useOnce } from "../parts/once";
import { Failed } from "../parts/states";
import { at } from "../shell/places";
import { language } from "../words";

/** Begins a book without any words, and opens its first chapter with the caret in it. A double click makes one book. */
export function BlankBook() {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const begin = useMutation({
    mutationFn: async () => {
      const body = { premise: "", title: t("shelf.blank_title"), language: language() };
      const { project } = await answer(http.POST("/api/v1/projects", { body }));
      const title = t("chapters.first_title");
      const { chapters } = await editChapters(project, { action: "insert", after: null, title, text: "" });
      const added = chapters.find((row) => row.title === title);
      const document = added?.documents[0] ?? (await addText(project, title, added?.node ?? null));
      return { project, document };
    },
    onSuccess: ({ project, document }) => {
      changed(project);
      useChapterState.getState().wantCaret(document);
      go(at.chapter(project, document));
    },
  });
  const click = useOnce(() => begin.mutateAsync());
  return (
    <>
      <Button onClick={click} disabled={begin.isPending}>
        {t("shelf.blank")}
      </Button>
      {begin.error && <Failed error={begin.error} />}
    </>
  );
}
