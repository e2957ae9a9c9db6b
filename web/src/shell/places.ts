import type { Words } from "../words";

/** A page of a project. */
export type Place = keyof Words["shell"]["nav"];

const novel: readonly Place[] = [
  "write",
  "outline",
  "characters",
  "relations",
  "timeline",
  "world",
  "promises",
  "knowledge",
  "encyclopedia",
  "search",
  "findings",
  "runs",
  "export",
  "settings",
];
const production: readonly Place[] = ["content", "search", "runs", "export", "settings"];

/** The pages of a project, in the order of the bar. */
export function placesOf(isContent: boolean): readonly Place[] {
  return isContent ? production : novel;
}

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
