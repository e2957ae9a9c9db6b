import { at, type Place } from "../shell/places";

const places: Record<string, Place> = {
  character_relations: "relations",
  timeline_events: "timeline",
  plot_nodes: "outline",
  worldview: "world",
  locations: "world",
  organisations: "world",
  items: "world",
  rules: "world",
  promises: "promises",
  facts: "encyclopedia",
};

/** Where what an anchor such as `characters/c-3/name` names can be seen; nothing for what has no page. */
export function addressOfAnchor(project: string, anchor: string): string | undefined {
  const [list = "", id = ""] = anchor.split("/");
  if (list === "documents" && id) return at.chapter(project, id);
  if (list === "characters" && id) return at.character(project, id);
  if (list === "outline_nodes" && id) return `${at.place(project, "outline")}/${encodeURIComponent(id)}`;
  if (list === "fields" && id) return at.field(project, anchor.slice(list.length + 1));
  const place = places[list];
  return place && at.place(project, place);
}

/** The place where a passage of an answer comes from, as an anchor. */
export function anchorOfSource({ kind, id }: { kind: string; id: string }): string {
  return `${lists[kind] ?? kind}/${id}`;
}

const lists: Record<string, string> = {
  character: "characters",
  relation: "character_relations",
  outline_node: "outline_nodes",
  event: "timeline_events",
  plot_node: "plot_nodes",
  location: "locations",
  organisation: "organisations",
  item: "items",
  world_rule: "rules",
  document: "documents",
  fact: "facts",
  promise: "promises",
};
