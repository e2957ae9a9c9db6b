import { answer, http } from "../api/client";
import type { SearchRequest } from "../api/schema";

/** Finds passages and pieces. */
export function search(project: string, request: SearchRequest) {
  return answer(
    http.POST("/api/v1/projects/{project}/search", { params: { path: { project } }, body: { request } }),
  );
}

/** What was found, and why. */
export type Hit = Awaited<ReturnType<typeof search>>["hits"][number];
