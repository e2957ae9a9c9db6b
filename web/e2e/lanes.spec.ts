import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { type Api, appearing, expect, test } from "./studio";

type Row = { title: string; node: string | null; volume: string | null; documents: string[] };

const rows = async (api: Api, project: string) =>
  (await api.get<{ chapters: Row[] }>(`/projects/${project}/chapters`)).chapters;
const volumeOf = async (api: Api, project: string, title: string) =>
  (await rows(api, project)).find((row) => row.title === title)?.volume ?? null;
const card = (page: Page, title: string) =>
  page.getByRole("main").getByRole("listitem").filter({ hasText: title });
const lane = (page: Page, name: string) => page.getByRole("region", { name });
const notice = (page: Page, words: string) => page.getByRole("status").filter({ hasText: words });

/** A last volume with two arcs that are still to be planned; returns the title of the last chapter. */
async function plan(api: Api, project: string): Promise<string> {
  const add = (outline_data: Record<string, unknown>) =>
    api.post(`/projects/${project}/tools/outline_tool`, {
      arguments: { action: "create", outline_data },
      language: "zh",
    });
  await add({ name: "终卷", kind: "act" });
  await add({ name: "潮起", kind: "arc", parent: "终卷", chapters: 4 });
  await add({ name: "潮落", kind: "arc", parent: "终卷", chapters: 3 });
  return (await rows(api, project)).at(-1)?.title ?? "";
}

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("a chapter is moved between arcs by hand and by keyboard, and back", async ({ page, api, sample }) => {
  const last = await plan(api, sample);
  const before = await rows(api, sample);
  await page.goto(`/p/${sample}`);
  await page.getByRole("button", { name: "写作" }).first().click();
  await page.getByRole("link", { name: "卷与幕", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "卷与幕" })).toBeVisible();
  await expect(lane(page, "终卷 · 潮起")).toContainText("未排完：还差 4 章");

  await card(page, last).dragTo(lane(page, "终卷 · 潮落").getByText("还没有章"));
  await expect.poll(() => volumeOf(api, sample, last)).toBe("终卷");
  await expect(lane(page, "终卷 · 潮落")).toContainText(last);
  await expect(lane(page, "终卷 · 潮落")).toContainText("未排完：还差 2 章");
  await notice(page, "已移动").getByRole("button", { name: "撤销" }).click();
  await expect.poll(() => rows(api, sample)).toEqual(before);
  await expect(lane(page, "终卷 · 潮落")).not.toContainText(last);

  await card(page, last).getByRole("link").focus();
  await page.keyboard.press("Alt+ArrowDown");
  await expect(lane(page, "终卷 · 潮起")).toContainText(last);
  await expect(card(page, last).getByRole("link")).toBeFocused();
  expect(await volumeOf(api, sample, last)).toBe("终卷");
  // The text went along: the chapter is where its card is.
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: last })).toBeVisible();
});

test("a phone moves by the card's menu, and the page is accessible", async ({ page, api, sample }) => {
  const last = await plan(api, sample);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/p/${sample}/lanes`);
  await card(page, last)
    .getByRole("button", { name: `移动《${last}》` })
    .click();
  await page.getByRole("menuitem", { name: "移到后一幕的开头" }).click();
  await expect(lane(page, "终卷 · 潮起")).toContainText(last);
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(wide).toBe(false);
  const { violations } = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
});

test("a book of 500 chapters opens and moves without waiting", async ({ page, api }) => {
  const heads = Array.from({ length: 500 }, (_, index) => `第${index + 1}章 夜航\n\n船又开了一夜。`);
  const bytes = Buffer.from(heads.join("\n\n")).toString("base64");
  const request = { name: "五百章.txt", bytes, title: "五百章", language: "zh" };
  const imported = await api.post<{ project: { project: string } }>("/manuscripts", { request });
  const { project } = imported.project;
  await page.goto(`/p/${project}/lanes`);
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(500);
  const first = card(page, "第1章 夜航").first();
  await first.getByRole("link").focus();
  const asked = page.waitForResponse((answer) => answer.request().method() === "POST");
  await page.keyboard.press("Alt+ArrowRight");
  await asked;
  await expect.poll(async () => (await rows(api, project))[1]?.title).toBe("第1章 夜航");
});
