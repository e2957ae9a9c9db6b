/** A text that is not confirmed by the server yet, as this browser keeps it. */
export type Draft = { text: string; version: number; at: number };
/** A draft and the key that it is kept under. */
export type Found = Draft & { key: string };

const PREFIX = "qingyu.draft";
/** This page, among all that are open. */
const page = Math.random().toString(36).slice(2);

const locks = navigator.locks as LockManager | undefined;
void locks?.request(`${PREFIX}.${page}`, () => new Promise<void>(() => {}));

/** Each page keeps its own, so that two of them on one chapter never write over each other's. */
function keyOf(project: string, document: string, of = page): string {
  return [PREFIX, encodeURIComponent(project), encodeURIComponent(document), of].join("/");
}

/** Whether it is kept; not if there is no room. Written at once, so that it outlives a page that is closed. */
export function keep(project: string, document: string, draft: Draft): boolean {
  try {
    localStorage.setItem(keyOf(project, document), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function forget(project: string, document: string): void {
  localStorage.removeItem(keyOf(project, document));
}

/** What was found is this page's from now on. */
export function take(project: string, document: string, { key, text, version, at }: Found): void {
  if (key === keyOf(project, document)) return;
  if (keep(project, document, { text, version, at })) localStorage.removeItem(key);
}

export function drop(found: Found): void {
  localStorage.removeItem(found.key);
}

/** The drafts of a chapter that no other open page holds, newest first. */
export async function orphans(project: string, document: string): Promise<Found[]> {
  const living = await livingPages();
  const prefix = keyOf(project, document, "");
  const found: Found[] = [];
  for (let index = 0; index < localStorage.length; index++) {
    const key = localStorage.key(index);
    if (!key?.startsWith(prefix) || living.has(key.slice(prefix.length))) continue;
    const draft = read(localStorage.getItem(key));
    if (draft) found.push({ ...draft, key });
  }
  return found.sort((a, b) => b.at - a.at);
}

function read(kept: string | null): Draft | undefined {
  try {
    const { text, version, at } = JSON.parse(kept ?? "null") as Partial<Draft>;
    if (typeof text !== "string" || typeof version !== "number") return undefined;
    return { text, version, at: at ?? 0 };
  } catch {
    return undefined;
  }
}

/** The other pages: a lock of the browser shows that one lives, and goes with it however it ends. */
async function livingPages(): Promise<Set<string>> {
  if (!locks) return new Set();
  const { held = [] } = await locks.query();
  const names = held.flatMap(({ name }) =>
    name?.startsWith(`${PREFIX}.`) ? [name.slice(PREFIX.length + 1)] : [],
  );
  return new Set(names.filter((name) => name !== page));
}
