import { useQuery } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { keys, queries } from "../api/queries";
import type { CardPicture, PictureRow } from "../api/schema";

/** The most pictures of a book with which lists of its cards show them: each is up to 2 MB, and lists fetch them all. */
const LISTED = 50;

const listed = (project: string) => [...keys.project(project), "pictures"];

/** A picture that can be shown. */
export type Shown = { src: string; alt: string };

/** The rows by the card; a function that stays the same, so that the map is made only when the list is another. */
const byCard = (rows: PictureRow[]) => new Map(rows.map((row) => [row.card, row]));

/**
 * The row of a card's picture and the picture. Which cards have one is asked for once for all cards of a book, and the picture
 * itself only again when it is another: it is kept by its digest, outside of what a change of the book makes stale. While a
 * replaced picture is fetched the one before it stays.
 */
export function useCardPicture(project: string, card: string, most = Number.POSITIVE_INFINITY) {
  const list = useQuery({
    queryKey: listed(project),
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/pictures", { params: { path: { project } } })),
    select: byCard,
  });
  const row = list.data?.get(card);
  const isWanted = row !== undefined && (list.data?.size ?? 0) <= most;
  const content = useQuery({
    queryKey: ["picture", project, card, row?.digest],
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before: CardPicture | undefined) => (before?.card === card ? before : undefined),
    queryFn: () =>
      answer(http.GET("/api/v1/projects/{project}/pictures/{card}", { params: { path: { project, card } } })),
  });
  const { media_type, picture } = content.data ?? {};
  const shown: Shown | undefined =
    isWanted && media_type && picture
      ? { src: `data:${media_type};base64,${picture}`, alt: row.alt }
      : undefined;
  return {
    row,
    shown,
    isPending: list.isPending || (isWanted && content.isPending),
    error: list.error ?? (isWanted ? content.error : null),
    retry: () => void (list.error ? list.refetch() : content.refetch()),
  };
}

/** The picture of a card; none until it is fetched, and none in the lists of a book with very many pictures. */
export function usePicture(project: string, card: string, isListed: boolean): Shown | undefined {
  return useCardPicture(project, card, isListed ? LISTED : undefined).shown;
}

/** What changes in a picture; what is left out stays as it is. */
export type PictureChange = { picture?: string; alt?: string; remove?: boolean };

/** Sets, describes or removes the picture of a card. */
export async function setPicture(project: string, card: string, change: PictureChange): Promise<void> {
  const params = { path: { project, card } };
  await answer(http.PUT("/api/v1/projects/{project}/pictures/{card}", { params, body: change }));
  await queries.invalidateQueries({ queryKey: listed(project) });
}
