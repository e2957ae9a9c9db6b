import type { Page } from "@playwright/test";
import { answering, bytes, firstSentence, select } from "./agent";
import { type Api, appearing, compose, expect, test } from "./studio";

type Chapter = { id: string; text: string; version: number };

const prose = (page: Page) => page.getByTestId("prose");
const chapter = (api: Api, project: string, id: string) =>
  api.get<Chapter>(`/projects/${project}/chapters/${id}/text`);

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("an order is for the chapter that is open, unless it names another", async ({ page, sample }) => {
  const orders = await answering(page, sample, () => []);
  await page.goto(`/p/${sample}/write/d-5`);
  await expect(prose(page)).toBeVisible();
  const composer = page.getByRole("textbox", { name: "对智能体说" });
  const aim = page.getByRole("combobox", { name: "针对" });
  await expect(aim).toHaveValue("d-5");
  await composer.fill("把对话改得紧张些");
  await composer.press("Enter");
  await expect.poll(() => orders.started.length).toBe(1);
  expect(orders.started[0]?.task.chapter).toBe("d-5");
  await aim.selectOption("d-2");
  await composer.fill("把对话改得紧张些");
  await composer.press("Enter");
  await expect.poll(() => orders.started.length).toBe(2);
  expect(orders.started[1]?.task.chapter).toBe("d-2");
  await composer.fill("检查全书的时间线");
  await expect(aim).toHaveValue("");
  await expect(aim).toBeDisabled();
  await composer.press("Enter");
  await expect.poll(() => orders.started.length).toBe(3);
  expect(orders.started[2]?.task.chapter).toBeUndefined();
});

test("a selection is rewritten while its author goes on elsewhere, and taken as one step", async ({
  page,
  api,
  sample,
}) => {
  const before = await chapter(api, sample, "d-2");
  let words = "";
  const orders = await answering(page, sample, async () =>
    firstSentence((await chapter(api, sample, "d-2")).text, words, "雨终于停了。"),
  );
  await page.goto(`/p/${sample}/write/d-2`);
  await expect(prose(page)).toBeVisible();
  words = await select(page, 0);
  await page.getByRole("button", { name: "扩写" }).click();
  await expect(page.getByText("扩写：智能体正在写", { exact: false })).toBeVisible();
  await expect.poll(() => orders.started.length).toBe(1);
  expect(orders.started[0]).toMatchObject({
    kind: "task",
    task: { agent: "creative", chapter: "d-2", context: { kind: "rewrite" } },
    options: { writes: "never" },
  });
  // The author types below, and before the passage, with an input method.
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
  await compose(page, ["t", "tian"], "天亮了。");
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("这一天，");
  orders.release();
  const proposal = prose(page).locator("[data-proposal]").first();
  await expect(proposal).toContainText("雨终于停了。");
  // Nothing of it is in the text until it is taken.
  await expect.poll(async () => (await chapter(api, sample, "d-2")).text).toContain("天亮了。");
  expect((await chapter(api, sample, "d-2")).text).not.toContain("雨终于停了。");
  await page.getByRole("button", { name: "全部采用" }).click();
  await expect.poll(async () => (await chapter(api, sample, "d-2")).text).toContain("这一天，雨终于停了。");
  await prose(page).locator("p").last().click();
  await page.keyboard.press("Control+z");
  await expect
    .poll(async () => (await chapter(api, sample, "d-2")).text)
    .toBe(`这一天，${before.text}\n天亮了。`);
});

test("another version is written beside the first, and either is taken", async ({ page, api, sample }) => {
  let words = "";
  const versions = ["雨终于停了。", "雪下起来了。"];
  const orders = await answering(page, sample, async () => {
    const after = versions[orders.started.length - 1] ?? "";
    return firstSentence((await chapter(api, sample, "d-8")).text, words, after);
  });
  orders.release();
  await page.goto(`/p/${sample}/write/d-8`);
  await expect(prose(page)).toBeVisible();
  words = await select(page, 0);
  await page.getByRole("button", { name: "改写" }).click();
  const proposal = prose(page).locator("[data-proposal]").first();
  await expect(proposal).toContainText("雨终于停了。");
  await page.getByRole("button", { name: "再来一版" }).click();
  await expect(proposal).toContainText("雪下起来了。");
  await expect(prose(page)).not.toContainText("雨终于停了。");
  expect(orders.started[1]?.task.description).toBe(orders.started[0]?.task.description);
  await page.getByRole("button", { name: "第 2 版，共 2 版" }).click();
  await expect(proposal).toContainText("雨终于停了。");
  await page.getByRole("button", { name: "全部采用" }).click();
  await expect(prose(page).locator("[data-proposal]")).toHaveCount(0);
  await expect.poll(async () => (await chapter(api, sample, "d-8")).text).toContain("雨终于停了。");
  expect((await chapter(api, sample, "d-8")).text).not.toContain("雪下起来了。");
});

test("a proposal whose own words have changed shows both, and leaving it changes nothing", async ({
  page,
  api,
  sample,
}) => {
  let words = "";
  const orders = await answering(page, sample, async () =>
    firstSentence((await chapter(api, sample, "d-4")).text, words, "雨终于停了。"),
  );
  orders.release();
  await page.goto(`/p/${sample}/write/d-4`);
  await expect(prose(page)).toBeVisible();
  words = await select(page, 0);
  await page.getByRole("button", { name: "换语气" }).click();
  await page.getByRole("button", { name: "更克制" }).click();
  await expect(prose(page).locator("[data-proposal]").first()).toContainText("雨终于停了。");
  await prose(page).locator("p").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.insertText("慢慢");
  await expect(page.getByText("其中 1 处的原文已经改过。", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "两种都看" }).first().click();
  const both = page.getByRole("list", { name: "两种都看" });
  await expect(both).toContainText("慢慢");
  await expect(both).toContainText("雨终于停了。");
  await expect.poll(async () => (await chapter(api, sample, "d-4")).text).toContain("慢慢");
  await page.goto(`/p/${sample}/write/d-1`);
  await expect(prose(page)).toBeVisible();
  expect((await chapter(api, sample, "d-4")).text).not.toContain("雨终于停了。");
});

test("a slash in an empty paragraph opens the commands, and what comes is taken by the sentence", async ({
  page,
  api,
  sample,
}) => {
  const orders = await answering(page, sample, async () => {
    const { text } = await chapter(api, sample, "d-6");
    return [{ start: bytes(text), end: bytes(text), before: "", after: "天亮了。鸟叫了。" }];
  });
  orders.release();
  await page.goto(`/p/${sample}/write/d-6`);
  await prose(page).locator("p").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("Enter");
  // The key of the slash gives this one in Chinese.
  await page.keyboard.insertText("、");
  const commands = page.getByRole("listbox", { name: "在光标处让智能体写" });
  await expect(commands.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  await compose(page, ["d", "dui"], "对");
  await expect(commands.getByRole("option")).toHaveText([/写一句对白/]);
  await page.keyboard.press("Enter");
  await expect.poll(() => orders.started.length).toBe(1);
  expect(orders.started[0]?.task.context?.kind).toBe("dialogue");
  await expect(prose(page).locator("p").last()).not.toContainText("、");
  const proposals = prose(page).locator("[data-proposal]");
  await expect(proposals).toHaveCount(2);
  await proposals.nth(1).getByRole("button").first().click();
  await expect(proposals).toHaveCount(1);
  await page.getByRole("button", { name: "全都不要" }).click();
  await expect(proposals).toHaveCount(0);
  await expect.poll(async () => (await chapter(api, sample, "d-6")).text).toMatch(/鸟叫了。$/);
  expect((await chapter(api, sample, "d-6")).text).not.toContain("天亮了。");
});

test("the commands are reached by keys, and fit a narrow page", async ({ page, sample }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const orders = await answering(page, sample, () => []);
  orders.release();
  await page.goto(`/p/${sample}/write/d-3`);
  await select(page, 0);
  const menu = page.getByRole("toolbar", { name: "选中的文字" });
  const box = await menu.boundingBox();
  expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true);
  await page.keyboard.press("Alt+j");
  await expect(menu.getByRole("button", { name: "改写" })).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(menu.getByRole("button", { name: "扩写" })).toBeFocused();
  await menu.getByRole("button", { name: "照我说的" }).click();
  await page.getByRole("textbox", { name: "这几句要怎么改" }).fill("写成冬天");
  await page.keyboard.press("Enter");
  await expect.poll(() => orders.started.length).toBe(1);
  expect(orders.started[0]?.task.description).toBe("写成冬天");
  await expect(page.getByText("没有写成", { exact: false })).toBeVisible();
  await prose(page).locator("p").first().click();
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => orders.started.length).toBe(2);
  expect(orders.started[1]?.task.context?.kind).toBe("continue");
});

test("an answer goes to the caret, and is taken back in one step", async ({ page, api, sample }) => {
  await page.route(`**/api/v1/projects/${sample}/ask`, (route) =>
    route.fulfill({
      json: {
        answer: "灯塔建于六十年前。",
        citations: [],
        holds: true,
        left_out: 0,
        passages: [],
        read_by_model: true,
      },
    }),
  );
  const before = await chapter(api, sample, "d-7");
  await page.goto(`/p/${sample}/write/d-7`);
  await prose(page).locator("p").last().click();
  await page.keyboard.press("Control+End");
  await page.getByRole("group", { name: "这句话是吩咐还是提问" }).getByRole("button", { name: "问" }).click();
  const composer = page.getByRole("textbox", { name: "对智能体说" });
  await composer.fill("灯塔是什么时候建的？");
  await composer.press("Enter");
  await page.getByRole("button", { name: "插到光标处" }).click();
  await expect.poll(async () => (await chapter(api, sample, "d-7")).text).toMatch(/灯塔建于六十年前。$/);
  await prose(page).locator("p").first().click();
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await chapter(api, sample, "d-7")).text).toBe(before.text);
});
