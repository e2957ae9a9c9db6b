import type { Page } from "@playwright/test";
import { answering, firstSentence, select } from "./agent";
import { type Api, appearing, expect, test } from "./studio";

const prose = (page: Page) => page.getByTestId("prose");
const textOf = async (api: Api, project: string, id: string) =>
  (await api.get<{ text: string }>(`/projects/${project}/chapters/${id}/text`)).text;

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("words are made bold by key, shown so, saved so, and made plain again", async ({
  page,
  api,
  sample,
}) => {
  const before = await textOf(api, sample, "d-2");
  await page.goto(`/p/${sample}/write/d-2`);
  await expect(prose(page)).toBeVisible();
  const words = (await select(page, 0)).trim();
  await page.keyboard.press("Control+b");
  await expect.poll(() => textOf(api, sample, "d-2")).toContain(`**${words}**`);
  await expect(prose(page).locator("[class*=bold]").first()).toBeVisible();
  await page.keyboard.press("Control+b");
  await expect.poll(() => textOf(api, sample, "d-2")).toBe(before);
});

test("another chapter and the outline stand beside the text while one goes on", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/write/d-2`);
  await page.getByRole("button", { name: "分栏对照" }).click();
  const split = page.getByTestId("split");
  await expect(split.getByText("本章")).toBeVisible();
  await page.getByRole("combobox", { name: "在正文旁边看" }).selectOption("chapter:d-1");
  await expect(split.locator("p").first()).toBeVisible();
  await page.getByRole("link", { name: /^下一章/ }).click();
  await expect(page).toHaveURL(/d-3$/);
  await expect(split.locator("p").first()).toBeVisible();
  await split.getByRole("button", { name: /^换边/ }).click();
  await expect(page).toHaveURL(/d-1$/);
});

test("a goal is set, and what is written by hand counts towards it", async ({ page, api, sample }) => {
  await page.goto(`/p/${sample}`);
  const goals = page.getByRole("region", { name: "目标" });
  await goals.getByRole("button", { name: "设定目标" }).click();
  await goals.getByRole("textbox", { name: "每天写多少" }).fill("5");
  await goals.getByRole("button", { name: "保存" }).click();
  await expect(goals.getByText("目标 5", { exact: true })).toBeVisible();
  const text = await textOf(api, sample, "d-2");
  await api.put(`/projects/${sample}/chapters/d-2/text`, { text: `${text}\n他又走了一段夜路。` });
  await page.reload();
  await expect(goals.getByRole("definition").first()).toHaveText("9");
  await expect(goals.getByRole("img", { name: /近一年/ })).toBeVisible();
});

test("two models answer the same order, and stand side by side", async ({ page, api, sample }) => {
  let words = "";
  const orders = await answering(page, sample, async () =>
    firstSentence(await textOf(api, sample, "d-2"), words, "雨终于停了。"),
  );
  await page.route("**/api/v1/models", (route) =>
    route.fulfill({
      json: ["one", "two"].map((model) => ({
        provider: model,
        base_url: "",
        key_present: true,
        models: [`${model}-large`],
        retiring: {},
        roles: {},
      })),
    }),
  );
  await page.route("**/api/v1/prices", (route) =>
    route.fulfill({ json: { "one/one-large": { currency: "CNY", input: 2, output: 8 } } }),
  );
  await page.goto(`/p/${sample}/write/d-2`);
  await expect(prose(page)).toBeVisible();
  words = await select(page, 0);
  await page.getByRole("button", { name: "扩写" }).click();
  orders.release();
  await page.getByRole("button", { name: "两个模型…" }).click();
  const dialog = page.getByRole("dialog", { name: "同样的要求，交给两个模型" });
  await dialog.getByRole("combobox", { name: "模型1" }).selectOption("one/one-large");
  await dialog.getByRole("combobox", { name: "模型2" }).selectOption("two/two-large");
  await expect(dialog.getByText(/^约/)).toBeVisible();
  await expect(dialog.getByText("价格不明")).toBeVisible();
  await dialog.getByRole("button", { name: "各写一版" }).click();
  await expect.poll(() => orders.started.length).toBe(3);
  expect(orders.started.slice(1)).toMatchObject([{ model: "one/one-large" }, { model: "two/two-large" }]);
  await page.getByRole("button", { name: "并排比较" }).click();
  await expect(page.getByRole("dialog", { name: "并排比较" }).getByRole("article")).toHaveCount(3);
});

test("a book is taken away as a manuscript for agents and as a file for Kindle", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/export`);
  await page.getByRole("tab", { name: "整本" }).click();
  for (const [name, ending] of [
    ["标准投稿稿", ".docx"],
    ["Kindle（KDP）", ".epub"],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    const taken = page.waitForEvent("download");
    await page.getByRole("button", { name: "下载" }).click();
    expect((await taken).suggestedFilename()).toMatch(new RegExp(`\\${ending}$`));
  }
});
