import { answer, http } from "../api/client";
import type { ChapterEdit, ChapterList } from "../api/schema";

/** Edits the chapters of a project, in one change. */
export function editChapters(project: string, edit: ChapterEdit): Promise<ChapterList> {
  return answer(
    http.POST("/api/v1/projects/{project}/chapters", { params: { path: { project } }, body: { edit } }),
  );
}

/** Adds an empty text to a planned chapter, as the last text of the book. Returns its id. */
export async function addText(project: string, title: string, node: string | null): Promise<string> {
  const { data } = await answer(
    http.POST("/api/v1/projects/{project}/documents", {
      params: { path: { project } },
      body: { title, outline_node: node, content: "" },
    }),
  );
  if (!data) throw new Error("the server did not say which text it added");
  return data.id ?? "";
}

export async function undoChange(project: string, change: number): Promise<void> {
  await answer(
    http.POST("/api/v1/projects/{project}/changes/undo", { params: { path: { project } }, body: { change } }),
  );
}
