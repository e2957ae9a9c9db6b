import type { Words } from "../words";

/** A page of a project. */
export type Place = keyof Words["shell"]["nav"];

/** The pages about the story, in the order of the bar; then those about the work on it. */
export const storyPlaces = [
  "outline",
  "characters",
  "relations",
  "timeline",
  "world",
  "promises",
  "knowledge",
  "encyclopedia",
  "search",
] as const satisfies readonly Place[];

export const workPlaces = [
  "findings",
  "runs",
  "content",
  "export",
  "settings",
] as const satisfies readonly Place[];

/** The addresses of the studio. */
export const at = {
  shelf: "/",
  begin: "/begin",
  inbox: "/inbox",
  settings: "/settings",
  project: (project: string) => `/p/${encodeURIComponent(project)}`,
  place: (project: string, place: Place) =>
    place === "overview" ? at.project(project) : `${at.project(project)}/${place}`,
  chapter: (project: string, chapter: string) =>
    `${at.project(project)}/write/${encodeURIComponent(chapter)}`,
  run: (project: string, run: string) => `${at.project(project)}/runs/${encodeURIComponent(run)}`,
  character: (project: string, character: string) =>
    `${at.project(project)}/characters/${encodeURIComponent(character)}`,
  field: (project: string, path: string) =>
    `${at.project(project)}/content/${path.split("/").map(encodeURIComponent).join("/")}`,
};
