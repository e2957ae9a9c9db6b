import { test as base, type Page } from "@playwright/test";
import { serveOffline } from "./server";

/** What only pages of the studio may ask, asked beside them. */
export class Api {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async get<T>(path: string): Promise<T> {
    return this.ask<T>(path, {});
  }

  async post<T>(path: string, body: unknown): Promise<T> {
    return this.ask<T>(path, { method: "POST", body: JSON.stringify(body) });
  }

  async put<T>(path: string, body: unknown): Promise<T> {
    return this.ask<T>(path, { method: "PUT", body: JSON.stringify(body) });
  }

  private async ask<T>(path: string, init: RequestInit): Promise<T> {
    // A browser's mark would make it a page: programs send none.
    const answer = await fetch(`${this.url}/api/v1${path}`, {
      ...init,
      headers: { "Content-Type": "application/json" },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${init.method ?? "GET"} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }
}

type Fixtures = { api: Api; sample: string };
type WorkerFixtures = { server: string };

/** A test with the API of the server of its worker, and the sample book where one is asked for. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    async ({}, use) => {
      const { url, end } = await serveOffline();
      await use(url);
      await end();
    },
    { scope: "worker" },
  ],
  baseURL: async ({ server }, use) => use(server),
  api: async ({ server }, use) => use(new Api(server)),
  sample: async ({ api }, use) => {
    const { project } = await api.post<{ project: string }>("/samples", { language: "zh" });
    await use(project);
  },
});
export { expect } from "@playwright/test";

/** Types a word as an input method does: letters that change until it is chosen. */
export async function compose(
  page: Page,
  letters: readonly string[],
  chosen: string,
  between?: () => Promise<void>,
) {
  const browser = await page.context().newCDPSession(page);
  for (const [index, text] of letters.entries()) {
    await browser.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
    if (index === 1) await between?.();
    await page.waitForTimeout(40);
  }
  await browser.send("Input.insertText", { text: chosen });
}

/** The page in a language and a theme, whatever was chosen before. */
export async function appearing(page: Page, language: "zh" | "en", theme: "light" | "dark"): Promise<void> {
  await page.addInitScript(
    ([language, theme]) => {
      localStorage.setItem("qingyu.language", language);
      localStorage.setItem("qingyu.theme", theme);
    },
    [language, theme] as const,
  );
}
