import { test as base, type Page } from "@playwright/test";
import { Api } from "./api";
import { serveOffline } from "./server";
import { template } from "./template";

type Fixtures = { server: string; api: Api; sample: string };

/**
 * A test with a server of its own, its API, and the sample book where one is asked for. Each server begins with a copy of one
 * data folder, in which the sample book has been made: without optimisation that takes longer than most journeys.
 */
export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const { url, end } = await serveOffline(template().home);
    await use(url);
    await end();
  },
  baseURL: async ({ server }, use) => use(server),
  api: async ({ server }, use) => use(new Api(server)),
  sample: async ({}, use) => use(template().sample),
});
export { expect } from "@playwright/test";
export { Api } from "./api";

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
