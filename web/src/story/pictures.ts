import { useQuery } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { keys, queries } from "../api/queries";
import type { PictureRow } from "../api/schema";

const listed = (project: string) => [...keys.project(project), "pictures"];

/** A picture that can be shown, and sent again with another description. */
export type Shown = { src: string; base64: string; alt: string };

/** The rows by the card; a function that stays the same, so that the map is made only when the list is another. */
const byCard = (rows: PictureRow[]) => new Map(rows.map((row) => [row.card, row]));

/**
 * The picture of a card; none until it is fetched. Which cards have one is asked for once for all cards of a book, and the
 * picture itself only again when it is another: it is kept by its digest, outside of what a change of the book makes stale.
 */
export function usePicture(project: string, card: string): Shown | undefined {
  const { data: rows } = useQuery({
    queryKey: listed(project),
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/pictures", { params: { path: { project } } })),
    select: byCard,
  });
  const row = rows?.get(card);
  const { data } = useQuery({
    queryKey: ["picture", project, card, row?.digest],
    enabled: row !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      answer(http.GET("/api/v1/projects/{project}/pictures/{card}", { params: { path: { project, card } } })),
  });
  if (!row || !data?.media_type || !data.picture) return undefined;
  return { src: `data:${data.media_type};base64,${data.picture}`, base64: data.picture, alt: row.alt };
}

/** Sets the picture of a card; an empty one removes it. */
export async function setPicture(project: string, card: string, picture: string, alt: string): Promise<void> {
  const params = { path: { project, card } };
  await answer(http.PUT("/api/v1/projects/{project}/pictures/{card}", { params, body: { picture, alt } }));
  await queries.invalidateQueries({ queryKey: listed(project) });
}
