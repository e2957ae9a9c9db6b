import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { answer, http } from "../api/client";
import { changed, keys, queries } from "../api/queries";
import type { StartRequest as Start } from "../api/schema";
import { at } from "../shell/places";

/** Sets a run to work and goes to its page, or stays where `stay` says so. */
export function useStart(stay = false) {
  const [, go] = useLocation();
  return useMutation({
    mutationFn: (start: Start) => answer(http.POST("/api/v1/runs", { body: { start } })),
    onSuccess: ({ project, run }) => {
      changed(project);
      void queries.invalidateQueries({ queryKey: keys.runs });
      if (!stay) go(at.run(project, run));
    },
  });
}
