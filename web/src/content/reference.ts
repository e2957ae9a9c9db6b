import type { Genre } from "../api/schema";

/** Whether a genre can have the name: 1 to 40 letters, digits and hyphens, the first no hyphen. */
export function isGenreName(given: string): boolean {
  return /^[\p{Alphabetic}\p{Number}][\p{Alphabetic}\p{Number}-]{0,39}$/u.test(given.trim());
}

/** Returns a genre under a name, which is its ID in lower case as well. */
export function named(genre: Genre, given: string): Genre & { id: string } {
  const id = given.trim().toLowerCase();
  return { ...genre, id, name: id, names: [id] };
}
