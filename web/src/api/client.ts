import createClient, { type Middleware } from "openapi-fetch";
import { Access, type PageState, stateOf, tokenIn } from "./access";
import { heard } from "./line";
import { Problem } from "./problem";
import type { paths } from "./schema";

const KEY = "qingyu.key";

/** The access of this page; its token is fetched anew after a restart of the server. */
const access = new Access({
  token: tokenIn(document) ?? "",
  key,
  dropKey: () => setKey(null),
  read: readPage,
});

async function readPage(): Promise<PageState> {
  try {
    const page = await fetch("/", { headers: { Accept: "text/html" }, cache: "no-store" });
    return stateOf(page.ok, await page.text());
  } catch {
    return { is: "unreachable" };
  }
}

/** Whether the server requires a key that the reader must type. */
export function isKeyNeeded(): boolean {
  return access.isKeyNeeded;
}

/** Asks whether the server answers again, and keeps the page token that it has now. */
export async function isBack(): Promise<boolean> {
  const page = await access.refresh();
  heard(page.is !== "unreachable");
  return page.is !== "unreachable";
}

/**
 * Sends a request as this page. One that is refused because the server was restarted is sent once more with the new page
 * token; rejects like a lost connection if the server does not answer.
 */
export async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const sent = access.now;
  const response = await attempt(identify(request));
  if (response.status !== 401) return response;
  switch (await access.renew(sent)) {
    case "retry":
      return attempt(identify(again));
    case "wait":
      heard(false);
      throw new TypeError("the server does not answer");
    default:
      return response;
  }
}

async function attempt(request: Request): Promise<Response> {
  try {
    const response = await fetch(request);
    heard(true);
    return response;
  } catch (cause) {
    if (!request.signal.aborted) heard(false);
    throw cause;
  }
}

/** Puts the credentials as they are now into a request. */
function identify(request: Request): Request {
  request.headers.delete("X-Qingyu-Page");
  request.headers.delete("Authorization");
  const { token, key } = access.now;
  if (token) request.headers.set("X-Qingyu-Page", token);
  if (key) request.headers.set("Authorization", `Bearer ${key}`);
  return request;
}

/** The key that the user typed, kept until the tab is closed. */
export function key(): string | null {
  return sessionStorage.getItem(KEY);
}

export function setKey(value: string | null): void {
  if (value) sessionStorage.setItem(KEY, value);
  else sessionStorage.removeItem(KEY);
}

const idempotent: Middleware = {
  onRequest({ request }) {
    // What is sent twice, because a click or a cable failed, is done once.
    if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
      request.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    return request;
  },
};

/** The server's API; each path and shape comes from its OpenAPI document. */
export const http = createClient<paths>({ baseUrl: "/", fetch: send });
http.use(idempotent);

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
