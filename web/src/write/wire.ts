import { answer, http } from "../api/client";
import type { EditedChapter } from "../api/schema";
import type { Text } from "./keeper";

function at(project: string, chapter: string) {
  return { params: { path: { project, chapter } } };
}

export async function loadText(project: string, chapter: string): Promise<Text> {
  const { text, version } = await answer(
    http.GET("/api/v1/projects/{project}/chapters/{chapter}/text", at(project, chapter)),
  );
  return { text, version };
}

/** Saves a chapter's text if the server still has the version `expected`. */
export function saveText(
  project: string,
  chapter: string,
  text: string,
  expected: number,
): Promise<EditedChapter> {
  const body = { text, expected };
  return answer(
    http.PUT("/api/v1/projects/{project}/chapters/{chapter}/text", { ...at(project, chapter), body }),
  );
}
