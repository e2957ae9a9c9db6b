import { send } from "../api/client";
import { Problem } from "../api/problem";
import type { BookForm } from "../api/schema";

/** As what a book is taken away, the most used first. */
export const bookForms = [
  "docx",
  "epub",
  "txt",
  "markdown",
  "qidian",
  "fanqie",
  "kdp",
  "manuscript",
] as const satisfies BookForm[];

/** Forms that are bytes and no text: what is shown of them beforehand is the text in Markdown. */
export function isBinary(form: string): boolean {
  return form === "docx" || form === "epub" || form === "kdp" || form === "manuscript";
}

/** A book, or the chapters from one to another of it, by their ids. */
export type BookWanted = { format: BookForm; from?: string; to?: string; author?: string };

export function bookUrl(project: string, { format, from, to, author }: BookWanted): string {
  const stretch = from === to ? from : `${from ?? ""}-${to ?? ""}`;
  return url(project, "book", { format, chapters: stretch, author: author?.trim() || undefined });
}

export function contentUrl(
  project: string,
  wanted: { format: string; path?: string; file?: number; draft?: string },
): string {
  return url(project, "content", wanted);
}

export function storyUrl(project: string): string {
  return url(project, "story", {});
}

function url(project: string, place: string, asked: Record<string, string | number | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value !== undefined) query.set(name, String(value));
  const search = query.size > 0 ? `?${query}` : "";
  return `/api/v1/projects/${encodeURIComponent(project)}/${place}${search}`;
}

/** Asks for a file as this page: a plain link could not say who asks. */
export async function ask(address: string): Promise<Response> {
  let response: Response;
  try {
    response = await send(new Request(new URL(address, location.href)));
  } catch (cause) {
    throw Problem.ofNetwork(cause);
  }
  if (!response.ok) throw Problem.of(response, await response.json().catch(() => undefined));
  return response;
}

/** Asks for a file and hands it to the browser to be kept; gives its name. */
export async function download(address: string, name?: string): Promise<string> {
  const response = await ask(address);
  const kept = name ?? nameOf(response.headers.get("content-disposition")) ?? "qingyu";
  save(await response.blob(), kept);
  return kept;
}

/** Hands a file to the browser to be kept. */
export function save(file: Blob, name: string): void {
  const held = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = held;
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(held), 60_000);
}

/** The name that an answer gives its file (RFC 6266, extended form). */
export function nameOf(disposition: string | null): string | undefined {
  const found = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? "");
  if (!found?.[1]) return undefined;
  try {
    return decodeURIComponent(found[1]);
  } catch {
    return undefined;
  }
}

/** A name that every system takes for a file. */
export function safeName(title: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return title.replace(/[\\/:*?"<>|\u0000-\u001f]+/g, " ").trim() || "qingyu";
}

/** A chapter as a platform's page takes it: the title and the body apart. */
export function apart(chapter: string): { title: string; body: string } {
  const [title = "", ...rest] = chapter
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  return { title: title.trim(), body: rest.join("\n").replace(/^\n+|\s+$/g, "") };
}

/** The first lines of a text, and whether there are more. */
export function beginning(text: string, lines: number): { text: string; isMore: boolean } {
  const all = text.replace(/\s+$/, "").split("\n");
  return { text: all.slice(0, lines).join("\n"), isMore: all.length > lines };
}

/** The text that stands in base64. */
export function textOf(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)));
}
