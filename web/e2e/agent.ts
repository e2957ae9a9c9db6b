import { expect, type Page, type Route } from "@playwright/test";

export type Start = {
  kind: string;
  task: {
    agent?: string;
    chapter?: string;
    description: string;
    context?: { kind?: string; range?: [number, number]; previous_content?: string };
  };
  options: { writes: string };
};
export type Span = { start: number; end: number; before: string; after: string };

/**
 * Answers orders in the place of an agent: without a language model nobody writes anything. The answer waits until
 * `release` is called.
 */
export async function answering(
  page: Page,
  project: string,
  spansOf: (start: Start) => Promise<Span[]> | Span[],
) {
  const started: Start[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const run = "r-caret";
  let spans: Span[] = [];
  await page.route("**/api/v1/runs", async (route: Route) => {
    if (route.request().method() !== "POST") return route.fallback();
    const { start } = route.request().postDataJSON() as { start: Start };
    started.push(start);
    spans = await spansOf(start);
    return route.fulfill({ json: { run, project } });
  });
  await page.route(`**/api/v1/runs/${run}/events*`, async (route) => {
    await released;
    return route.fulfill({
      headers: { "Content-Type": "text/event-stream" },
      body: "event: end\ndata: {}\n\n",
    });
  });
  await page.route(`**/api/v1/runs/${run}`, (route) => {
    const result = {
      task_id: "t1",
      agent: "creative",
      output: "",
      metadata: { kind: "", proposal: { spans } },
    };
    const made = {
      task: {
        subtasks: [],
        written: {},
        output: "",
        confidence: 1,
        results: { t1: { agent: "creative", status: "done", result, failure: null } },
      },
    };
    const rest = { reasoning: [], warnings: [], errors: [], usage: {} };
    return route.fulfill({ json: { project, run, status: "done", made, ...rest } });
  });
  return { started, release: () => release() };
}

/** Selects a paragraph as a reader does. */
export async function select(page: Page, number: number): Promise<string> {
  const paragraph = page.getByTestId("prose").locator("p").nth(number);
  const words = (await paragraph.innerText()).trim();
  await paragraph.click({ clickCount: 3 });
  await expect(page.getByRole("toolbar", { name: /^(选中的文字|Selected text)$/ })).toBeVisible();
  return words;
}

export const bytes = (text: string) => new TextEncoder().encode(text).length;

/** A change of the first sentence of a passage, as the server places it. */
export function firstSentence(text: string, words: string, after: string): Span[] {
  const before = /^[^。]*。/.exec(words)?.[0] ?? words;
  const start = bytes(text.slice(0, text.indexOf(words)));
  return [{ start, end: start + bytes(before), before, after }];
}
