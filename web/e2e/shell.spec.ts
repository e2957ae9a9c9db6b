import type { Page } from "@playwright/test";
import { appearing, expect, test } from "./studio";

/** Whether something is wider than the window; runs in the page. */
const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("anywhere by the palette, by keyboard alone", async ({ page, sample }) => {
  await page.goto(`/p/${sample}`);
  await expect(page.getByRole("tree")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").fill("浑水");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/write\/d-8$/);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog").getByRole("combobox")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog").getByRole("combobox")).toHaveCount(0);
});

test("from the tree to a chapter without a mouse", async ({ page, sample }) => {
  await page.goto(`/p/${sample}`);
  const tree = page.getByRole("tree");
  await tree.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/write\/d-3$/);
  await expect(page.getByTestId("prose")).toBeVisible();
});

test("only the text is left in focus mode, and all is back after it", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/write/d-1`);
  await expect(page.getByTestId("prose")).toBeVisible();
  await page.keyboard.press("Control+.");
  await expect(page.getByRole("tree")).toHaveCount(0);
  await expect(page.getByTestId("prose")).toBeVisible();
  await expect(page.getByRole("banner")).toHaveCount(0);
  await expect(page.getByRole("complementary")).toHaveCount(0);
  // The caret is where it was to go on writing, and the tools come back where the mouse looks for them.
  const exit = page.getByRole("button", { name: "退出专注" });
  await expect(exit).toHaveCount(1);
  await page.mouse.move(700, 20);
  await exit.click();
  await expect(page.getByRole("tree")).toBeVisible();
  await expect(page.getByRole("banner")).toBeVisible();
  await expect(page.getByTestId("prose")).toBeFocused();
  await page.keyboard.press("Control+.");
  await page.keyboard.press("Control+.");
  await expect(page.getByRole("tree")).toBeVisible();
});

test("the columns beside the page are folded away, and stay so", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/write/d-1`);
  await expect(page.getByRole("tree")).toBeVisible();
  const left = page.getByRole("button", { name: "章节栏" });
  await left.click();
  await page.getByRole("button", { name: "智能体栏" }).click();
  await expect(page.getByRole("tree")).toHaveCount(0);
  await expect(page.getByRole("complementary")).toHaveCount(0);
  await page.reload();
  await expect(page.getByTestId("prose")).toBeVisible();
  await expect(page.getByRole("tree")).toHaveCount(0);
  await left.click();
  await expect(page.getByRole("tree")).toBeVisible();
  // A phone shows one column at a time, whatever a wide screen folds.
  await page.setViewportSize({ width: 390, height: 800 });
  await page.getByRole("button", { name: "智能体", exact: true }).click();
  await expect(page.getByRole("complementary")).toBeVisible();
});

test("a typewriter keeps the line that is written at one height", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/write/d-1`);
  const prose = page.getByTestId("prose");
  await expect(prose).toBeVisible();
  await page.getByRole("button", { name: /^打字机模式/ }).click();
  await prose.locator("p").last().click();
  await page.keyboard.press("Control+End");
  const height = () =>
    page.evaluate(() => Math.round(getSelection()?.getRangeAt(0).getBoundingClientRect().top ?? 0));
  await page.keyboard.insertText("雨停了。");
  const before = await height();
  for (const line of ["一", "二", "三", "四"]) {
    await page.keyboard.press("Enter");
    await page.keyboard.insertText(line);
  }
  await expect.poll(async () => Math.abs((await height()) - before)).toBeLessThanOrEqual(40);
  await expect.poll(async () => (await height()) / 900).toBeLessThan(0.6);
  // It is remembered.
  await page.reload();
  await expect(page.getByRole("button", { name: /^打字机模式/ })).toHaveAttribute("aria-pressed", "true");
});

test("on a narrow screen one column is seen at a time", async ({ page, sample }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/p/${sample}`);
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeVisible();
  await expect(page.getByRole("tree")).toBeHidden();
  await page.getByRole("button", { name: "正文" }).click();
  await expect(page.getByRole("tree")).toBeVisible();
  await expect(page.getByRole("main")).toBeHidden();
});

test("a page of the book is chosen from one of four groups", async ({ page, sample }) => {
  await page.goto(`/p/${sample}`);
  const menu = page.getByRole("navigation", { name: "项目" });
  await expect(menu.getByRole("button")).toHaveText([/^写作/, /^故事/, /^检查/, /^后台/]);
  await menu.getByRole("button", { name: /^故事/ }).click();
  await menu.getByRole("link", { name: "时间线" }).click();
  await expect(page).toHaveURL(/\/timeline$/);
  await expect(menu.getByRole("link")).toHaveCount(0);
  await menu.getByRole("button", { name: /^检查/ }).click();
  await page.keyboard.press("Escape");
  await expect(menu.getByRole("link")).toHaveCount(0);
});

test("on phones and tablets the menu leads everywhere, and nothing is wider than the screen", async ({
  page,
  sample,
}) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/p/${sample}`);
  await page.getByRole("button", { name: "菜单" }).click();
  const menu = page.getByRole("dialog", { name: "菜单" });
  for (const name of ["大纲", "角色", "检查", "运行", "书架", "收件箱"]) {
    await expect(menu.getByRole("link", { name, exact: true })).toBeVisible();
  }
  await menu.getByRole("link", { name: "大纲", exact: true }).click();
  await expect(page).toHaveURL(/\/outline$/);
  await expect(menu).toBeHidden();
  for (const width of [390, 768]) {
    await page.setViewportSize({ width, height: 800 });
    for (const place of ["", "/write/d-1", "/outline", "/characters", "/findings", "/runs", "/settings"]) {
      await page.goto(`/p/${sample}${place}`);
      await expect(page.locator("main h1, main [data-testid=prose]").first()).toBeVisible();
      expect(await overflow(page), `${place} at ${width}`).toBe(false);
    }
  }
});

test("on a phone a chapter is chosen, read and edited", async ({ page, sample }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/p/${sample}`);
  await page.getByRole("button", { name: "正文" }).click();
  await page.getByRole("treeitem").nth(1).click();
  const prose = page.getByTestId("prose");
  await expect(prose).toBeVisible();
  await expect(page.getByRole("tree")).toBeHidden();
  await prose.locator("p").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("雨停了。");
  await expect(page.getByText("已保存", { exact: true })).toBeVisible({ timeout: 10_000 });
});

test("the bar fits at 1280 px in English, and at twice the size of letters", async ({ page, sample }) => {
  await appearing(page, "en", "light");
  for (const width of [1280, 1024, 640]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/p/${sample}/write/d-1`);
    await expect(page.getByTestId("prose")).toBeVisible();
    const bar = page.getByRole("banner");
    expect(await bar.evaluate((frame) => frame.scrollWidth <= frame.clientWidth), `${width}`).toBe(true);
    expect(await overflow(page), `${width}`).toBe(false);
  }
});

test("a page is at the place where it was left", async ({ page, sample }) => {
  // A window in which the cast does not fit.
  await page.setViewportSize({ width: 1100, height: 600 });
  await page.goto(`/p/${sample}/characters`);
  const frame = page.getByRole("main").locator("> div > div").first();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.poll(() => frame.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeGreaterThan(200);
  await frame.evaluate((one) => one.scrollTo(0, 150));
  // It is noted shortly after the last movement.
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("qingyu.scroll"))).toContain("150");
  await page.reload();
  await expect.poll(() => frame.evaluate((one) => one.scrollTop)).toBe(150);
});

test("the page can be installed", async ({ page }) => {
  await page.goto("/");
  const address = await page.locator('link[rel="manifest"]').getAttribute("href");
  const manifest = await page.request.get(address ?? "");
  expect(manifest.ok()).toBe(true);
  const { name, display, icons } = await manifest.json();
  expect({ name, display }).toEqual({ name: "青羽 · Qingyu", display: "standalone" });
  for (const { src } of icons as { src: string }[])
    expect((await page.request.get(src)).ok(), src).toBe(true);
});
