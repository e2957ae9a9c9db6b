import type { Locator, Page } from "@playwright/test";
import { type Api, appearing, expect, test } from "./studio";

type Row = { number: number | null; title: string; documents: string[]; node: string | null };
type Text = { text: string; version: number };

const prose = (page: Page) => page.getByTestId("prose");
const tree = (page: Page) => page.getByRole("tree");
const item = (page: Page, title: string | RegExp) => tree(page).getByRole("treeitem", { name: title });
const notice = (page: Page, words: string | RegExp) => page.getByRole("status").filter({ hasText: words });
const rows = async (api: Api, project: string) =>
  (await api.get<{ chapters: Row[] }>(`/projects/${project}/chapters`)).chapters;
const titles = async (api: Api, project: string) => (await rows(api, project)).map(({ title }) => title);
const text = async (api: Api, project: string, chapter: string) =>
  (await api.get<Text>(`/projects/${project}/chapters/${encodeURIComponent(chapter)}/text`)).text;

/** Chooses an action of a chapter by the button at its row. */
async function choose(page: Page, row: Locator, action: string | RegExp): Promise<void> {
  await row.getByRole("button").click();
  await page.getByRole("menu").getByRole("menuitem", { name: action }).click();
}

/** Opens a chapter of the sample book and waits for its text. */
async function open(page: Page, project: string, id: string): Promise<void> {
  await page.goto(`/p/${project}/write/${id}`);
  await expect(prose(page).locator("p").last()).toBeVisible();
}

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("a new chapter is one click away, with the caret in it", async ({ page, api, sample }) => {
  await open(page, sample, "d-12");
  await page.getByRole("button", { name: "新建一章" }).click();
  await expect(page).not.toHaveURL(/\/write\/d-12$/);
  await expect(page.getByRole("heading", { level: 1, name: "第十三章" })).toBeVisible();
  await expect(prose(page)).toBeFocused();
  await page.keyboard.insertText("雪落下来了。");
  await expect(page.getByText("已保存", { exact: true })).toBeVisible({ timeout: 10_000 });
  await expect.poll(() => text(api, sample, "第十三章")).toBe("雪落下来了。");
  expect((await titles(api, sample)).at(-1)).toBe("第十三章");
  await expect(item(page, "第十三章").getByRole("link")).toHaveAttribute("aria-current", "page");
});

test("rows are links, and the open one says so", async ({ page, context, sample }) => {
  await open(page, sample, "d-1");
  const link = item(page, /^第三章/).getByRole("link");
  await expect(link).toHaveAttribute("href", `/p/${sample}/write/d-3`);
  await expect(item(page, /^第一章/).getByRole("link")).toHaveAttribute("aria-current", "page");
  const opened = context.waitForEvent("page");
  await link.click({ button: "middle" });
  await expect(await opened).toHaveURL(/\/write\/d-3$/);
  await expect(page).toHaveURL(/\/write\/d-1$/);
});

test("a chapter is renamed where it stands, and the open page follows", async ({ page, api, sample }) => {
  await open(page, sample, "d-3");
  await choose(page, item(page, /^第三章/), "重命名");
  const field = page.getByRole("textbox", { name: "章节标题" });
  await expect(field).toBeFocused();
  await field.fill("第三章 圩里的人");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "第三章 圩里的人" })).toBeVisible();
  await expect(item(page, "第三章 圩里的人")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "第三章 圩里的人，正文" })).toBeVisible();
  await expect(page).toHaveTitle(/圩里的人/);
  await expect(page).toHaveURL(/\/write\/d-3$/);
  expect((await titles(api, sample))[2]).toBe("第三章 圩里的人");

  // A title that another chapter has is refused in words.
  await choose(page, item(page, "第三章 圩里的人"), "重命名");
  await field.fill("第二章 哑鱼");
  await page.keyboard.press("Enter");
  await expect(notice(page, "书里已经有这个标题")).toBeVisible();
  // Escape leaves the title alone.
  await choose(page, item(page, "第三章 圩里的人"), "重命名");
  await field.fill("别的");
  await page.keyboard.press("Escape");
  await expect(field).toHaveCount(0);
  expect((await titles(api, sample))[2]).toBe("第三章 圩里的人");
});

test("chapters are moved by keyboard, by number and by hand", async ({ page, api, sample }) => {
  await open(page, sample, "d-1");
  const before = await titles(api, sample);
  const [first = "", second = "", third = "", fourth = ""] = before;

  await tree(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("Alt+ArrowDown");
  await expect.poll(async () => (await titles(api, sample)).slice(0, 2)).toEqual([second, first]);
  await expect(tree(page).getByRole("treeitem").first()).toContainText(second);
  await notice(page, "已移动").getByRole("button", { name: "撤销" }).click();
  await expect.poll(() => titles(api, sample)).toEqual(before);
  await expect(tree(page).getByRole("treeitem").first()).toContainText(first);

  await choose(page, item(page, fourth), "移到第几章…");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("移到第几章的位置").fill("99");
  await dialog.getByRole("button", { name: "移动" }).click();
  await expect(dialog.getByRole("alert")).toContainText("没有第 99 章");
  await dialog.getByLabel("移到第几章的位置").fill("1");
  await dialog.getByRole("button", { name: "移动" }).click();
  await expect(dialog).toHaveCount(0);
  await expect.poll(async () => (await titles(api, sample))[0]).toBe(fourth);

  await expect(tree(page).getByRole("treeitem").first()).toContainText(fourth);
  await item(page, third).dragTo(item(page, first), { targetPosition: { x: 60, y: 4 } });
  await expect
    .poll(async () => (await titles(api, sample)).slice(0, 4))
    .toEqual([fourth, third, first, second]);
  // The open chapter stayed open all the while.
  await expect(page).toHaveURL(/\/write\/d-1$/);
});

test("the menu answers to the keyboard alone", async ({ page, api, sample }) => {
  await open(page, sample, "d-2");
  await tree(page).focus();
  await page.keyboard.press("Shift+F10");
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(tree(page)).toBeFocused();
  // The button of the active row is the next stop of the Tab key.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(menu).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await rows(api, sample))[0]?.documents).toEqual(["d-2"]);
  await item(page, /^第五章/).click({ button: "right" });
  await expect(menu).toHaveAttribute("aria-label", /第五章/);
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
});

test("a chapter is inserted before and after another, and written at once", async ({ page, api, sample }) => {
  await open(page, sample, "d-1");
  await choose(page, item(page, /^第三章/), "在前面插入一章");
  await expect(page.getByRole("heading", { level: 1, name: "新的一章" })).toBeVisible();
  await expect(prose(page)).toBeFocused();
  await page.keyboard.insertText("插进来的一章。");
  await expect(page.getByText("已保存", { exact: true })).toBeVisible({ timeout: 10_000 });
  const list = await rows(api, sample);
  expect(list[2]?.title).toBe("新的一章");
  // Its text stands in the order of the book, too.
  const { documents } = await api.get<{ documents: { id: string; order: number }[] }>(
    `/projects/${sample}/story`,
  );
  const order = (id: string | undefined) => documents.find((document) => document.id === id)?.order ?? 0;
  expect(order(list[2]?.documents[0])).toBeGreaterThan(order("d-2"));
  expect(order(list[2]?.documents[0])).toBeLessThan(order("d-3"));

  await choose(page, item(page, /^第三章/), "在后面插入一章");
  await expect(page.getByRole("heading", { level: 1, name: "新的一章（2）" })).toBeVisible();
  expect((await titles(api, sample))[4]).toBe("新的一章（2）");
});

test("a chapter is split at the caret and joined again, with what was typed just before", async ({
  page,
  api,
  sample,
}) => {
  await open(page, sample, "d-1");
  const before = await titles(api, sample);
  const whole = await text(api, sample, "d-1");
  await prose(page).locator("p").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
  await page.keyboard.insertText("第二天，天亮了。");
  await page.keyboard.press("Home");
  // Nothing waits for the text to be saved by itself.
  await choose(page, item(page, /^第一章/), "从光标处拆成两章");
  await expect(page.getByRole("heading", { level: 1, name: "新的一章" })).toBeVisible();
  await expect(prose(page)).toHaveText("第二天，天亮了。");
  await expect(prose(page)).toBeFocused();
  expect((await titles(api, sample))[1]).toBe("新的一章");
  expect((await text(api, sample, "d-1")).trimEnd()).toBe(whole.trimEnd());

  await choose(page, item(page, /^第一章/), "与下一章合并");
  await expect(page).toHaveURL(/\/write\/d-1$/);
  await expect(prose(page)).toContainText("第二天，天亮了。");
  expect(await titles(api, sample)).toEqual(before);
  await notice(page, "已并入").getByRole("button", { name: "撤销" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "新的一章" })).toBeVisible();
  await expect(prose(page)).toHaveText("第二天，天亮了。");
  await item(page, /^第一章/)
    .getByRole("link")
    .click();
  await expect(prose(page)).not.toContainText("第二天，天亮了。");
});

test("a split without text before the caret is explained", async ({ page, api, sample }) => {
  await open(page, sample, "d-2");
  const before = await titles(api, sample);
  await prose(page).locator("p").first().click();
  await page.keyboard.press("Control+Home");
  await choose(page, item(page, /^第二章/), "从光标处拆成两章");
  await expect(notice(page, "光标在这一章的开头")).toBeVisible();
  expect(await titles(api, sample)).toEqual(before);
});

test("a chapter is deleted after one question, and undone", async ({ page, api, sample }) => {
  await open(page, sample, "d-4");
  const before = await titles(api, sample);
  await prose(page).locator("p").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("这句还没保存。");
  await choose(page, item(page, /^第四章/), "删除…");
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("可以撤销");
  await page.keyboard.press("Escape");
  await expect(question).toHaveCount(0);
  expect(await titles(api, sample)).toEqual(before);

  await tree(page).focus();
  await page.keyboard.press("Delete");
  await question.getByRole("button", { name: "删除这一章" }).click();
  // The next chapter takes its place on the page.
  await expect(page).toHaveURL(/\/write\/d-5$/);
  await expect(item(page, /^第四章/)).toHaveCount(0);
  expect(await titles(api, sample)).toEqual(before.filter((title) => !title.startsWith("第四章")));
  await notice(page, "已删除").getByRole("button", { name: "撤销" }).click();
  await expect(page).toHaveURL(/\/write\/d-4$/);
  await expect(item(page, /^第四章/)).toBeVisible();
  await expect(prose(page)).toContainText("这句还没保存。");
  expect(await titles(api, sample)).toEqual(before);
});

test("a chapter that is gone elsewhere is told in words, and the list is brought up to date", async ({
  page,
  api,
  sample,
}) => {
  await open(page, sample, "d-1");
  await expect(item(page, /^第六章/)).toBeVisible();
  // The page hears of the change at once; what counts here is an author who is quicker.
  let release = () => {};
  const chosen = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**/api/v1/projects/${sample}/chapters`, async (route) => {
    if (route.request().method() === "GET") await chosen;
    await route.continue();
  });
  await api.post(`/projects/${sample}/chapters`, { edit: { action: "delete", chapter: "d-6" } });
  await choose(page, item(page, /^第六章/), "下移");
  release();
  await expect(notice(page, "这一章已在别处删除")).toBeVisible();
  await expect(item(page, /^第六章/)).toHaveCount(0);
});

test("a conflict is told with what to do, and what is typed stays", async ({ page, sample }) => {
  await open(page, sample, "d-1");
  const problem = {
    type: "urn:qingyu:error:conflict",
    code: "conflict",
    status: 409,
    title: "changed meanwhile",
    data: {},
  };
  await page.route(`**/api/v1/projects/${sample}/chapters`, async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fulfill({
      status: 409,
      contentType: "application/problem+json",
      body: JSON.stringify(problem),
    });
  });
  await prose(page).locator("p").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("写到一半。");
  await choose(page, item(page, /^第二章/), "上移");
  await expect(notice(page, "列表已经更新，看一看再做一次")).toBeVisible();
  await expect(prose(page)).toContainText("写到一半。");
  await page.unroute(`**/api/v1/projects/${sample}/chapters`);
  await choose(page, item(page, /^第二章/), "上移");
  await expect(notice(page, "已移动")).toBeVisible();
  await expect(prose(page)).toContainText("写到一半。");
});

test("text that cannot be saved stops a split, and stays", async ({ page, api, sample }) => {
  await open(page, sample, "d-1");
  const before = await titles(api, sample);
  await page.route("**/chapters/d-1/text", async (route) => {
    if (route.request().method() !== "PUT") return route.continue();
    await route.abort();
  });
  await prose(page).locator("p").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("还在路上。");
  await page.keyboard.press("Home");
  await choose(page, item(page, /^第一章/), "从光标处拆成两章");
  await expect(notice(page, "还有文字没有保存到服务器")).toBeVisible();
  await expect(prose(page)).toContainText("还在路上。");
  expect(await titles(api, sample)).toEqual(before);
});

test("on a narrow screen chapters are made and managed, too", async ({ page, api, sample }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`/p/${sample}`);
  await page.getByRole("button", { name: "正文" }).click();
  await choose(page, item(page, /^第二章/), "上移");
  await expect.poll(async () => (await rows(api, sample))[0]?.documents).toEqual(["d-2"]);
  await expect(notice(page, "已移动")).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await item(page, /^第三章/)
    .getByRole("link")
    .click();
  await expect(prose(page)).toBeVisible();
  await page.getByRole("button", { name: "正文" }).click();
  await page.getByRole("button", { name: "新建一章" }).click();
  await expect(prose(page)).toBeVisible();
  await expect(prose(page)).toBeFocused();
});

test("the words are English where the pages are", async ({ page, sample }) => {
  await appearing(page, "en", "light");
  await open(page, sample, "d-1");
  await expect(page.getByRole("button", { name: "New chapter" })).toBeVisible();
  await item(page, /^第二章/)
    .getByRole("button", { name: /^Actions for/ })
    .click();
  await expect(page.getByRole("menuitem")).toHaveText([
    "Rename",
    "Move up",
    "Move down",
    "Move to number…",
    "Insert a chapter before",
    "Insert a chapter after",
    "Join with the next chapter",
    "Delete…",
  ]);
});
