import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Character, Relation } from "../api/story";
import { isMaleWord, type Sexes, siblingWords } from "../words/siblings";
import type { Bond } from "./bonds";
import { fold } from "./book";

/** What two siblings are: of `mixed` it is not known who is older. */
export type Siblings = "brothers" | "sisters" | "older_brother" | "older_sister" | "mixed";

/** What two siblings are, by their cards and by the description of the relation, as the server says it. */
export function siblingsOf(
  characters: readonly Character[],
  { from, to, description }: Pick<Relation, "from" | "to" | "description">,
): Siblings | undefined {
  const card = (name: string) =>
    characters.find((one) => [one.name, one.id, ...one.alias].some((each) => fold(each) === fold(name)));
  const [a, b] = [card(from), card(to)];
  const [sexOfA, sexOfB] = [isMale(a), isMale(b)];
  const isAOlder = isOlder(a, b);
  const told = siblingsIn(description);
  const fits = ([first, second]: Sexes) => (sexOfA ?? first) === first && (sexOfB ?? second) === second;
  const turned = ([first, second]: Sexes): Sexes => [second, first];
  if (!told || !(fits(told) || fits(turned(told)))) {
    if (sexOfA === undefined || sexOfB === undefined) return undefined;
    if (sexOfA === sexOfB) return named([sexOfA, sexOfB]);
    if (isAOlder === undefined) return "mixed";
    return named(isAOlder ? [sexOfA, sexOfB] : [sexOfB, sexOfA]);
  }
  // Ages on the cards weigh more than a word.
  const isAToldOlder = fits(told) && fits(turned(told)) ? isAOlder : fits(told);
  const isTurned = isAOlder !== undefined && isAOlder !== isAToldOlder;
  return named(isTurned ? turned(told) : told);
}

function named([older, younger]: Sexes): Siblings {
  if (older === younger) return older ? "brothers" : "sisters";
  return older ? "older_brother" : "older_sister";
}

function isMale(character: Character | undefined): boolean | undefined {
  return isMaleWord((character?.gender ?? "").trim().toLowerCase());
}

/** Whether the first is older: by births that are plain dates, or else by ages. */
function isOlder(a: Character | undefined, b: Character | undefined): boolean | undefined {
  const [born, other] = [a?.birth?.trim() ?? "", b?.birth?.trim() ?? ""];
  const isDate = (birth: string) => /^\d{4}(-\d{2}){0,2}$/.test(birth);
  if (isDate(born) && isDate(other)) {
    return born.startsWith(other) || other.startsWith(born) ? undefined : born < other;
  }
  if (a?.age == null || b?.age == null || a.age === b.age) return undefined;
  return a.age > b.age;
}

/** The siblings that a text speaks of, if it speaks of one kind alone. */
function siblingsIn(text: string): Sexes | undefined {
  const told = siblingWords.filter(([word]) => text.includes(word)).map(([, sexes]) => sexes);
  const first = told[0];
  if (!first || told.some(([older, younger]) => older !== first[0] || younger !== first[1])) return undefined;
  return first;
}

/** The word for a line between two: the author's own, or that of its kind. */
export function useBondWord(characters: readonly Character[]) {
  const { t } = useTranslation();
  return useCallback(
    ({ kind, own, relations }: Pick<Bond, "kind" | "own" | "relations">): string => {
      const [relation] = relations;
      const siblings = kind === "sibling" && relation ? siblingsOf(characters, relation) : undefined;
      return own || (siblings ? t(`story.siblings.${siblings}`) : t(`story.relation.${kind}`));
    },
    [characters, t],
  );
}
