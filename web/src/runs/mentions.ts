import type { Task } from "../api/schema";
import type { Story } from "../api/story";
import type { Place } from "./where";

export type MentionKind = "character" | "chapter" | "location" | "item" | "field";

/** Something that can be pointed to with @. */
export type Mention = { kind: MentionKind; id: string; name: string; also: string[] };

/** Everything of a story that can be pointed to; fields by their paths. */
export function mentionsOf(story: Story): Mention[] {
  const named = (kind: MentionKind, pieces: { id?: string; name?: string; alias?: string[] }[]) =>
    pieces.flatMap(({ id = "", name = "", alias = [] }) => (name ? [{ kind, id, name, also: alias }] : []));
  const written = new Set(story.documents.map((document) => document.outline_node));
  const planned = story.outline_nodes.filter((node) => node.kind === "chapter" && !written.has(node.id));
  return [
    ...named("character", story.characters),
    ...named(
      "chapter",
      story.documents.map(({ id, title }) => ({ id, name: title })),
    ),
    ...named("chapter", planned),
    ...named("location", story.worldview?.locations ?? []),
    ...named("item", story.worldview?.items ?? []),
    ...story.fields.map(({ path, title }) => ({
      kind: "field" as const,
      id: path,
      name: path,
      also: [title],
    })),
  ];
}

/** The beginning of a mention right before the caret, and where it begins. */
export function mentionAt(text: string, caret: number): { from: number; word: string } | undefined {
  const found = /[@＠]([^@＠\s]*)$/u.exec(text.slice(0, caret));
  return found ? { from: found.index, word: found[1] ?? "" } : undefined;
}

const SHOWN = 8;

/** The mentions that a word may mean, those that begin with it first. */
export function matching(mentions: readonly Mention[], word: string): Mention[] {
  const sought = word.toLowerCase();
  const place = ({ name, also }: Mention): number => {
    const names = [name, ...also].map((one) => one.toLowerCase());
    if (names.some((one) => one.startsWith(sought))) return 0;
    return names.some((one) => one.includes(sought)) ? 1 : 2;
  };
  return mentions
    .map((mention) => ({ mention, rank: place(mention) }))
    .filter(({ rank }) => rank < 2)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN)
    .map(({ mention }) => mention);
}

/** The text with a mention in place of its beginning, and where the caret is then. */
export function withMention(
  text: string,
  caret: number,
  from: number,
  mention: Mention,
): { text: string; caret: number } {
  const before = `${text.slice(0, from)}@${mention.name} `;
  return { text: before + text.slice(caret).replace(/^ /, ""), caret: before.length };
}

/** Returns what a text points to with @, longer names first. */
export function mentionedIn(text: string, mentions: readonly Mention[]): Mention[] {
  return withoutSigns(text, mentions).named;
}

function withoutSigns(text: string, mentions: readonly Mention[]): { named: Mention[]; description: string } {
  const longest = [...mentions].sort((a, b) => b.name.length - a.name.length);
  const named: Mention[] = [];
  let description = text;
  for (const mention of longest) {
    for (const sign of ["@", "＠"]) {
      if (!description.includes(sign + mention.name)) continue;
      description = description.replaceAll(sign + mention.name, mention.name);
      if (!named.includes(mention)) named.push(mention);
    }
  }
  return { named, description };
}

/**
 * Returns a task in the author's words: the signs before names go, and the characters that are named are told apart. It
 * is for the chapter that it names, else for the one of the place where it was given.
 */
export function taskOf(text: string, mentions: readonly Mention[], place?: Place): Task {
  const { named, description } = withoutSigns(text, mentions);
  const characters = named.filter((one) => one.kind === "character").map((one) => one.name);
  const mentioned = named.find((one) => one.kind === "chapter")?.id;
  const chapter = mentioned ?? place?.chapter;
  // A selection belongs to its own chapter.
  const isHere = chapter !== undefined && chapter === place?.chapter;
  const context = {
    ...(characters.length > 0 ? { characters } : {}),
    ...(isHere && place.range ? { range: place.range } : {}),
    ...(isHere && place.caret !== undefined ? { caret: place.caret } : {}),
    ...(place ? { view: place.view } : {}),
  };
  return {
    description: description.trim(),
    ...(chapter ? { chapter } : {}),
    ...(Object.keys(context).length > 0 ? { context } : {}),
  };
}
