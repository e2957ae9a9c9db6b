import type { Words } from "../words";

/** A page of a project. */
export type Place = keyof Words["shell"]["nav"];

/** A group of the menu. */
export type GroupName = keyof Words["shell"]["groups"];

export type Group = { name: GroupName; places: readonly Place[] };

const novel: readonly Group[] = [
  { name: "write", places: ["overview", "write", "outline", "lanes", "export"] },
  {
    name: "story",
    places: [
      "characters",
      "relations",
      "knowledge",
      "timeline",
      "world",
      "ladders",
      "promises",
      "encyclopedia",
    ],
  },
  { name: "check", places: ["findings", "search"] },
  { name: "machine", places: ["runs", "settings"] },
];
const production: readonly Group[] = [
  { name: "write", places: ["overview", "content", "export"] },
  { name: "check", places: ["search"] },
  { name: "machine", places: ["runs", "settings"] },
];

/** The menu of a project: each of its pages in one group. */
export function groupsOf(isContent: boolean): readonly Group[] {
  return isContent ? production : novel;
}

/** The pages of a project, in the order of the menu. */
export function placesOf(isContent: boolean): readonly Place[] {
  return groupsOf(isContent).flatMap(({ places }) => places);
}

/** The page of a project that an address leads to; nothing outside of the project. */
export function placeAt(project: string, location: string): Place | undefined {
  const home = at.project(project);
  if (location === home) return "overview";
  const places = [...placesOf(false), ...placesOf(true)];
  return places.find((place) => {
    const href = at.place(project, place);
    return place !== "overview" && (location === href || location.startsWith(`${href}/`));
  });
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
