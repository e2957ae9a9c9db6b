import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { answer, http } from "../api/client";
import { changed } from "../api/queries";
import { Button } from "../parts/Button";
import { useOnce } from "../parts/once";
import { Failed } from "../parts/states";
import { at } from "../shell/places";
import { language } from "../words";

/** Puts the sample book on the shelf and opens it. */
export function SampleButton() {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const open = useMutation({
    mutationFn: () => answer(http.POST("/api/v1/samples", { body: { language: language() } })),
    onSuccess: ({ project }) => {
      changed(project);
      go(at.project(project));
    },
  });
  const click = useOnce(() => open.mutateAsync());
  return (
    <>
      <Button onClick={click} disabled={open.isPending} title={t("shelf.sample_about")}>
        {open.isPending ? t("common.loading") : t("shelf.sample")}
      </Button>
      {open.error && <Failed error={open.error} />}
    </>
  );
}
