import { useTranslation } from "react-i18next";
import type { PieceKind } from "../api/schema";
import type { Words } from "../words";
import { relationKinds } from "./bonds";
import { type Book, relationKindsOf } from "./book";
import type { FieldSpec } from "./fields";

const roles = ["protagonist", "antagonist", "supporting", "minor"] as const;
export const modes = [
  "narrated",
  "flashback",
  "dreamt",
  "said",
  "believed",
  "planned",
  "lied",
  "retconned",
  "disguised",
] as const;

/** The most fields of an author's own on a card, and the most kinds of relation. */
const CUSTOM_MOST = 40;

/** The fields of the forms about each kind of piece, in the reader's language. */
export function useFields(book: Book): (kind: PieceKind) => FieldSpec[] {
  const { t } = useTranslation();
  const { story } = book;
  const named = (names: readonly string[]) => names.map((name) => [name, name] as const);
  const people = named(story.characters.map(({ name }) => name));
  const places = named((story.worldview?.locations ?? []).map(({ name }) => name));
  const none = [["", t("common.none")]] as const;
  const ownKinds = named(
    relationKindsOf(story).flatMap(({ name, inverse, symmetric }) =>
      symmetric || inverse === "" ? [name] : [name, inverse],
    ),
  );
  const nodes = story.outline_nodes.map(({ name }) => [name, name] as const);
  const texts = book.chapters.map(
    ({ id, node, document, title }) => [document?.id ?? node?.name ?? id, title] as const,
  );
  const line = (name: FieldName, rest: Partial<FieldSpec> = {}): FieldSpec => ({
    name,
    label: t(`story.field.${name}`),
    kind: "line",
    ...rest,
  });
  const text = (name: FieldName): FieldSpec => line(name, { kind: "text" });
  const name = line("name", { isRequired: true });
  const alias = line("alias", { kind: "words" });
  const fields: Partial<Record<PieceKind, FieldSpec[]>> = {
    character: [
      name,
      alias,
      line("role_type", {
        kind: "choice",
        choices: roles.map((role) => [role, t(`story.role.${role}`)] as const),
      }),
      line("gender"),
      line("age", { kind: "number" }),
      line("birth", { isOptional: true }),
      line("death", { isOptional: true }),
      line("occupation"),
      line("traits", { kind: "words" }),
      text("appearance"),
      text("weakness"),
      text("goals"),
      text("conflicts"),
      text("arc"),
      text("personality"),
      text("background"),
      text("secret"),
      line("secret_until", { kind: "choice", choices: [...none, ...nodes], isOptional: true }),
      line("custom", {
        kind: "rows",
        most: CUSTOM_MOST,
        columns: [line("custom_name", { name: "name", length: 40 }), line("value", { length: 1000 })],
      }),
    ],
    relation: [
      line("from", { kind: "choice", choices: people, isRequired: true }),
      line("to", { kind: "choice", choices: people, isRequired: true }),
      line("type", {
        kind: "choice",
        isRequired: true,
        choices: relationKinds.map((kind) => [kind, t(`story.relation.${kind}`)] as const),
      }),
      line(
        "own_kind",
        ownKinds.length > 0 ? { kind: "choice", choices: [...none, ...ownKinds] } : { length: 40 },
      ),
      line("strength", { kind: "number", step: 0.05, most: 1 }),
      line("since", { kind: "choice", choices: [...none, ...nodes], isOptional: true }),
      line("until", { kind: "choice", choices: [...none, ...nodes], isOptional: true }),
      text("description"),
    ],
    outline_node: [
      name,
      line("words", { kind: "number", step: 100 }),
      line("location", { kind: "choice", choices: [...none, ...places], isOptional: true }),
      line("participants", { kind: "many", choices: people }),
      text("goal"),
      text("description"),
    ],
    event: [
      line("title", { isRequired: true }),
      line("timestamp"),
      line("duration"),
      line("location", { kind: "choice", choices: [...none, ...places], isOptional: true }),
      line("outline_node", { kind: "choice", choices: [...none, ...nodes], isOptional: true }),
      line("mode", {
        kind: "choice",
        choices: modes.map((mode) => [mode, t(`story.mode.${mode}`)] as const),
      }),
      line("importance", { kind: "number", most: 10 }),
      line("participants", { kind: "many", choices: people }),
      line("deaths", { kind: "many", choices: people }),
      line("after", { kind: "many", choices: named(story.timeline_events.map(({ title }) => title)) }),
      text("description"),
    ],
    plot_node: [
      line("title", { isRequired: true }),
      line("outline_node", { kind: "choice", choices: [...none, ...nodes], isOptional: true }),
      text("description"),
    ],
    promise: [
      name,
      line("importance", { kind: "number", most: 10 }),
      line("due", { kind: "choice", choices: [...none, ...texts], isOptional: true }),
      line("planted", { kind: "many", choices: texts }),
      line("advanced", { kind: "many", choices: texts }),
      line("paid", { kind: "many", choices: texts }),
      text("description"),
    ],
    worldview: [
      line("genre"),
      line("era"),
      text("summary"),
      text("truth"),
      line("truth_until", { kind: "choice", choices: [...none, ...nodes], isOptional: true }),
      line("relation_kinds", {
        kind: "rows",
        most: CUSTOM_MOST,
        columns: [
          line("name", { length: 40 }),
          line("inverse", { length: 40 }),
          line("symmetric", { kind: "check" }),
        ],
      }),
    ],
    world_rule: [name, text("statement"), text("limit")],
    location: [name, alias, text("description")],
    ladder: [
      name,
      alias,
      line("upset_limit", { kind: "number", isCount: true }),
      line("may_skip", { kind: "check" }),
      text("description"),
      line("steps", {
        kind: "rows",
        columns: [
          line("name", { isRequired: true }),
          alias,
          line("condition"),
          line("lifetime"),
          line("costs", {
            kind: "rows",
            columns: [line("what"), line("amount", { kind: "number", isCount: true })],
          }),
        ],
      }),
    ],
    organisation: [name, alias, text("description")],
    item: [
      name,
      alias,
      line("holder", { kind: "choice", choices: [...none, ...people], isOptional: true }),
      text("description"),
    ],
  };
  return (kind) => fields[kind] ?? [];
}

type FieldName = keyof Words["story"]["field"];
