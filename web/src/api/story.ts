import type { Ladder as AnyLadder, Story as AnyStory, ProjectView as AnyView } from "./schema";

/** A shape with everything that may be left out when it is sent to the server: what comes from there is whole. */
type Whole<T> = T extends (infer Item)[]
  ? Whole<Item>[]
  : T extends object
    ? { [Name in keyof T]-?: Whole<Exclude<T[Name], undefined>> }
    : T;

export type Story = Whole<AnyStory>;
export type Ladder = Whole<AnyLadder>;
export type OutlineNode = Story["outline_nodes"][number];
/** What a card has beside its declared shape, where it is not empty. */
export type OwnFields = { gender?: string; appearance?: string; custom?: { name: string; value: string }[] };
export type Character = Story["characters"][number] & OwnFields;
/** A kind of relation of the author's own. */
export type OwnRelationKind = { name: string; inverse: string; symmetric: boolean };
/** A relation, with the author's own word for its kind where there is one, beside its declared shape. */
export type Relation = Story["character_relations"][number] & { own_kind?: string };
export type TimelineEvent = Story["timeline_events"][number];
export type PlotNode = Story["plot_nodes"][number];
export type Document = Story["documents"][number];
export type Fact = Story["facts"][number];
export type Promise_ = Story["promises"][number];
export type Waiver = Story["waivers"][number];
export type Worldview = NonNullable<Story["worldview"]>;

/** A project with its story whole. */
export type ProjectView = Omit<Whole<AnyView>, "story"> & { story: Story };

/** What is empty is left out on the way; it is put back. */
export function wholeStory(story: AnyStory): Story {
  const lists = { documents: [], facts: [], promises: [], waivers: [], fields: [], production: null };
  return { ...lists, ...story } as unknown as Story;
}

export function wholeView(view: AnyView): ProjectView {
  return { ...view, story: wholeStory(view.story) } as unknown as ProjectView;
}
