import createClient, { type Middleware } from "openapi-fetch";
import { Problem } from "./problem";
import type { paths } from "./schema";

const KEY = "qingyu.key";

/** What the server wrote into its own page: without it no page of this browser may ask. */
const pageToken = document.querySelector<HTMLMetaElement>('meta[name="qingyu-page"]')?.content ?? "";

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
export const http = createClient<paths>({ baseUrl: "/" });
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
