import createClient, { type Middleware } from "openapi-fetch";
import { Problem } from "./problem";
import type { paths } from "./schema";

const KEY = "qingyu.key";

/** What the server wrote into its own page: without it no page of this browser may ask. */
let pageToken = tokenIn(document);

function tokenIn(page: Document): string {
  return page.querySelector<HTMLMetaElement>('meta[name="qingyu-page"]')?.content ?? "";
}

/**
 * Reads the token of the page as the server gives it now: one that was started again has another, and no page that is open
 * should ask its reader for a key because of that. Tells whether it is another one.
 */
export async function isRenewed(): Promise<boolean> {
  if (pageToken === "") return false;
  const page = await fetch("/", { headers: { Accept: "text/html" } }).catch(() => undefined);
  if (!page?.ok) return false;
  const token = tokenIn(new DOMParser().parseFromString(await page.text(), "text/html"));
  if (token === "" || token === pageToken) return false;
  pageToken = token;
  return true;
}

/** Sends a request, and once more if the server was started again meanwhile. */
async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await fetch(request);
  if (response.status !== 401 || !(await isRenewed())) return response;
  for (const [name, value] of Object.entries(credentials())) again.headers.set(name, value);
  return fetch(again);
}

/** The key that the user typed, kept until the tab is closed. */
export function key(): string | null {
  return sessionStorage.getItem(KEY);
}

export function setKey(value: string | null): void {
  if (value) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
}

/** Who asks, for every request and stream. */
export function credentials(): Record<string, string> {
  const held = key();
  return {
    ...(pageToken ? { "X-Qingyu-Page": pageToken } : {}),
    ...(held ? { Authorization: `Bearer ${held}` } : {}),
  };
}

const identified: Middleware = {
  onRequest({ request }) {
    for (const [name, value] of Object.entries(credentials())) request.headers.set(name, value);
    // What is sent twice, because a click or a cable failed, is done once.
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    return request;
  },
};

/** The server's API; each path and shape comes from its OpenAPI document. */
export const http = createClient<paths>({ baseUrl: "/", fetch: send });
http.use(identified);

/** The answer, or a thrown {@link Problem}. */
export async function answer<T>(
  asked: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  let told: { data?: T; error?: unknown; response: Response };
  try {
    told = await asked;
  } catch (cause) {
    throw Problem.ofNetwork(cause);
  }
  if (!told.response.ok) throw Problem.of(told.response, told.error);
  return told.data as T;
}
