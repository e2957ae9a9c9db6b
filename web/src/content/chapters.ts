import type { Document, ProjectView } from "../api/story";

/** The chapters, in reading order. Their place in it, from 1, is the number by which exports know them. */
export function chaptersOf({ story }: Pick<ProjectView, "story">): Document[] {
  return story.documents
    .filter((document) => document.order > 0)
    .sort((one, other) => one.order - other.order || (one.id < other.id ? -1 : 1));
}
