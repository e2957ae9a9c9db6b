import { useTranslation } from "react-i18next";
import type { Fact } from "../api/story";
import { type Book, fold } from "./book";

/** Puts words of the fact vocabulary and facts themselves into lines that a person reads. */
export function useFactWords() {
  const { t, i18n } = useTranslation();
  const predicate = (word: string) => {
    const known = `story.predicates.${word.trim().toLowerCase().replace(/[ -]/g, "_")}`;
    return i18n.exists(known) ? String(t(known as "story.predicates.is_at")) : word;
  };
  const value = ({ object, value, unit }: Pick<Fact, "object" | "value" | "unit">) => {
    if (object) return object;
    if (typeof value === "boolean") return value ? "" : t("story.facts.not_so");
    return typeof value === "string" || typeof value === "number" ? `${value}${unit}` : "";
  };
  return { predicate, value };
}

/** The facts on either side of which a piece stands. */
export function factsAbout(book: Book, names: readonly string[]): Fact[] {
  const wanted = new Set(names.map(fold));
  return book.story.facts.filter(
    ({ subject, object }) => wanted.has(fold(subject)) || (object !== null && wanted.has(fold(object))),
  );
}
