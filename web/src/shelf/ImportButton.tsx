import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { answer, http } from "../api/client";
import { changed } from "../api/queries";
import { Button } from "../parts/Button";
import { base64 } from "../parts/files";
import { Failed } from "../parts/states";
import { at } from "../shell/places";

/** Brings a manuscript in as a book of its own. */
export function ImportButton() {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  const bring = useMutation({
    mutationFn: async (file: File) => {
      const request = { name: file.name, bytes: await base64(file) };
      return answer(http.POST("/api/v1/manuscripts", { body: { request } }));
    },
    onSuccess: ({ project }) => {
      if (!project) return;
      changed(project.project);
      go(at.project(project.project));
    },
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".txt,.md,.markdown,.docx,.odt,.rtf,.epub,.html,.htm,.xhtml"
        className="unseen"
        aria-label={t("shelf.import")}
        tabIndex={-1}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) bring.mutate(file);
          event.target.value = "";
        }}
      />
      <Button
        onClick={() => input.current?.click()}
        disabled={bring.isPending}
        title={t("shelf.import_about")}
      >
        {bring.isPending ? t("shelf.importing") : t("shelf.import")}
      </Button>
      {bring.error && <Failed error={bring.error} />}
    </>
  );
}
