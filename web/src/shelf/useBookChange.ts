import { useMutation } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { changed } from "../api/queries";
import type { ProjectStatus } from "../api/schema";

/** Changes the title of a book, or where it stands. */
export function useBookChange(project: string, then?: () => void) {
  return useMutation({
    mutationFn: (body: { title?: string; status?: ProjectStatus }) =>
      answer(http.PATCH("/api/v1/projects/{project}", { params: { path: { project } }, body })),
    onSuccess: () => {
      changed(project);
      then?.();
    },
  });
}
