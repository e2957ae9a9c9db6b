import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { answering, firstSentence, select } from "./agent";
import { provider } from "./provider";
import { serve } from "./server";
import { type Api, appearing, expect, test } from "./studio";

type Chapter = { text: string; version: number };

const prose = (page: Page) => page.getByTestId("prose");
const textOf = async (api: Api, project: string, id: string) =>
  (await api.get<Chapter>(`/projects/${project}/chapters/${id}/text`)).text;

/** Counts what a mouse presses in the page, whatever the test calls it; keys are not counted. */
async function counting(page: Page): Promise<{ clicks(): Promise<number>; reset(): Promise<void> }> {
  await page.addInitScript(() => {
    addEventListener(
      "pointerdown",
      ({ isTrusted }) => {
        const kept = Number(sessionStorage.getItem("clicks") ?? 0);
        if (isTrusted) sessionStorage.setItem("clicks", String(kept + 1));
      },
      true,
    );
  });
  return {
    clicks: () => page.evaluate(() => Number(sessionStorage.getItem("clicks") ?? 0)),
    reset: () => page.evaluate(() => sessionStorage.removeItem("clicks")),
  };
}

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("a key is given in four clicks", async ({ page }) => {
  const secret = "sk-a-key-of-the-ten-tasks";
  const vendor = await provider(secret);
  const home = mkdtempSync(join(tmpdir(), "qingyu-ten-tasks-"));
  writeFileSync(join(home, "config.toml"), `[providers.deepseek]\nbase_url = "${vendor.url}"\n`);
  const studio = await serve({ QINGYU_HOME: home });
  try {
    const mouse = await counting(page);
    await page.goto(studio.url);
    await page.getByRole("link", { name: "填入密钥" }).click();
    await page.getByRole("combobox", { name: "服务商" }).selectOption("deepseek");
    await page.locator("input[type=password]").click();
    await page.keyboard.insertText(secret);
    await page.getByRole("button", { name: "保存并试用" }).click();
    await expect(page.getByText("可以使用。")).toBeVisible({ timeout: 20_000 });
    // The list of providers is opened by a click that a test does not make.
    expect((await mouse.clicks()) + 1).toBeLessThanOrEqual(4);
  } finally {
    await studio.end();
    vendor.close();
    rmSync(home, { recursive: true, force: true });
  }
});

test("a blank page is one click away, and a double click makes one book", async ({ page, api }) => {
  const before = (await api.get<unknown[]>("/projects")).length;
  const mouse = await counting(page);
  await page.goto("/");
  await page.getByRole("button", { name: "空白新书" }).click();
  await expect(prose(page)).toBeFocused();
  expect(await mouse.clicks()).toBe(1);
  await page.keyboard.insertText("雪落下来了。");
  await expect(page.getByText("已保存", { exact: true })).toBeVisible({ timeout: 10_000 });
  await expect(page.getByRole("heading", { level: 1, name: "第一章" })).toBeVisible();
  await page.goto("/");
  await page.getByRole("button", { name: "空白新书" }).dblclick();
  await expect(prose(page)).toBeFocused();
  expect((await api.get<unknown[]>("/projects")).length).toBe(before + 2);
});

test("a selection is rewritten in the author's words with two clicks", async ({ page, api, sample }) => {
  let words = "";
  const orders = await answering(page, sample, async () =>
    firstSentence(await textOf(api, sample, "d-2"), words, "雨终于停了。"),
  );
  orders.release();
  const mouse = await counting(page);
  await page.goto(`/p/${sample}/write/d-2`);
  await expect(prose(page)).toBeVisible();
  words = await select(page, 0);
  await mouse.reset();
  await page.getByRole("button", { name: "照我说的" }).click();
  await page.keyboard.insertText("写成雨停");
  await page.keyboard.press("Enter");
  await expect(prose(page).locator("[data-proposal]").first()).toContainText("雨终于停了。");
  await page.getByRole("button", { name: "全部采用" }).click();
  expect(await mouse.clicks()).toBe(2);
  await expect.poll(() => textOf(api, sample, "d-2")).toContain("雨终于停了。");
});

test("the text goes on at the caret with one click, and the next chapter begins with one", async ({
  page,
  sample,
}) => {
  const orders = await answering(page, sample, () => []);
  orders.release();
  const mouse = await counting(page);
  await page.goto(`/p/${sample}/write/d-12`);
  await prose(page).locator("p").last().click();
  await page.keyboard.press("Control+End");
  await mouse.reset();
  await page.getByRole("button", { name: /^从光标处接着写/ }).click();
  await expect.poll(() => orders.started.length).toBe(1);
  expect(orders.started[0]?.task).toMatchObject({ chapter: "d-12", context: { kind: "continue" } });
  expect(await mouse.clicks()).toBe(1);
  await page.getByRole("button", { name: "新建一章" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "第十三章" })).toBeVisible();
  await expect(prose(page)).toBeFocused();
  expect(await mouse.clicks()).toBe(2);
});

test("who a name is, the mouse tells without a click", async ({ page, sample }) => {
  const mouse = await counting(page);
  await page.goto(`/p/${sample}/write/d-6`);
  await expect(prose(page)).toContainText("陆尺素");
  // The middle of the first name that stands in the text.
  const place = await prose(page).evaluate((frame) => {
    const walker = document.createTreeWalker(frame, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const found = node.textContent?.indexOf("陆尺素") ?? -1;
      if (found < 0) continue;
      const range = document.createRange();
      range.setStart(node, found);
      range.setEnd(node, found + 3);
      range.startContainer.parentElement?.scrollIntoView({ block: "center" });
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }
    return { x: 0, y: 0 };
  });
  await page.mouse.move(place.x - 60, place.y);
  await page.mouse.move(place.x, place.y, { steps: 4 });
  const card = page.getByRole("dialog", { name: "陆尺素" });
  await expect(card).toBeVisible();
  await expect(card.getByRole("link", { name: "打开卡片" })).toBeVisible();
  expect(await mouse.clicks()).toBe(0);
  await page.mouse.move(place.x, 890);
  await expect(card).toHaveCount(0);
});

test("a finding is waived with three clicks", async ({ page, api, sample }) => {
  const before = await api.get<Chapter>(`/projects/${sample}/chapters/d-1/text`);
  const text = `${before.text}\n丘四死了。`;
  await api.put(`/projects/${sample}/chapters/d-1/text`, { text, expected: before.version });
  const mouse = await counting(page);
  await page.goto(`/p/${sample}/write/d-1`);
  const strip = page.getByRole("region", { name: "这一章的问题" });
  const finding = strip.getByRole("button", { name: /死后仍参与/ }).first();
  await expect(finding).toBeVisible({ timeout: 15_000 });
  const count = await strip.getByRole("listitem").count();
  await mouse.reset();
  await finding.click();
  await strip.getByRole("textbox").click();
  await page.keyboard.insertText("他是装死");
  await strip.getByRole("button", { name: "不算问题" }).click();
  await expect.poll(() => strip.getByRole("listitem").count()).toBeLessThan(count);
  expect(await mouse.clicks()).toBeLessThanOrEqual(3);
});

test("an earlier version is restored with three clicks", async ({ page, api, sample }) => {
  const before = await api.get<Chapter>(`/projects/${sample}/chapters/d-4/text`);
  await api.put(`/projects/${sample}/chapters/d-4/text`, { text: "只剩一句。", expected: before.version });
  const mouse = await counting(page);
  await page.goto(`/p/${sample}/write/d-4`);
  await expect(prose(page)).toContainText("只剩一句。");
  await page.getByRole("button", { name: "历史" }).click();
  await page.getByLabel("历史版本").getByRole("button", { expanded: false }).last().click();
  await page.getByRole("button", { name: "换回这一版" }).first().click();
  await expect.poll(() => textOf(api, sample, "d-4")).toBe(before.text);
  expect(await mouse.clicks()).toBeLessThanOrEqual(3);
});

for (const [language, word, rename, actions] of [
  ["zh", "导出 Word", "改书名", /的操作$/],
  ["en", "Export to Word", "Rename book", /^Actions for/],
] as const) {
  test(`a book is exported and renamed with two clicks each: ${language}`, async ({ page, api, sample }) => {
    await appearing(page, language, "light");
    const mouse = await counting(page);
    await page.goto(`/p/${sample}/write/d-1`);
    await expect(prose(page)).toBeVisible();
    const side = page.getByRole("navigation", { name: language === "zh" ? "正文" : "Chapters" });
    const menu = side.getByRole("button", { name: actions }).first();
    const download = page.waitForEvent("download");
    await menu.click();
    await page.getByRole("menuitem", { name: word }).click();
    expect((await download).suggestedFilename()).toMatch(/\.docx$/);
    expect(await mouse.clicks()).toBe(2);
    await menu.click();
    await page.getByRole("menuitem", { name: rename }).click();
    expect(await mouse.clicks()).toBe(4);
    await page.keyboard.insertText("雪夜渡船");
    await page.keyboard.press("Enter");
    type Row = { project: string; title: string };
    await expect
      .poll(async () => (await api.get<Row[]>("/projects")).find((row) => row.project === sample)?.title)
      .toBe("雪夜渡船");
    await expect(side.getByRole("link", { name: "雪夜渡船" })).toBeVisible();
  });
}
