import type { Page } from "@playwright/test";
import { answering, firstSentence, select } from "./agent";
import { type Api, appearing, compose, expect, test } from "./studio";

type Comment = { id: string; quote: string; resolved: boolean; thread: { text: string }[] };

const prose = (page: Page) => page.getByTestId("prose");
const commentsOf = async (api: Api, project: string) =>
  (await api.get<{ comments: Comment[] }>(`/projects/${project}/comments`)).comments;

test("a comment stays at its words while they are edited, is answered and resolved", async ({
  page,
  api,
  sample,
}) => {
  await appearing(page, "zh", "light");
  await page.goto(`/p/${sample}/write/d-2`);
  await expect(prose(page)).toBeVisible();
  const words = await select(page, 0);
  await page.getByRole("toolbar", { name: "选中的文字" }).getByRole("button", { name: "批注" }).click();
  const side = page.getByRole("complementary", { name: "批注" });
  await side.getByRole("textbox", { name: "批注内容" }).click();
  await compose(page, ["t", "tai"], "太平淡");
  await side.getByRole("button", { name: "添加批注" }).click();
  await expect(prose(page).locator("[data-comment]").first()).toBeVisible();
  await expect.poll(async () => (await commentsOf(api, sample))[0]?.quote).toBe(words.trim());

  // Before the words and inside them.
  await prose(page).locator("p").first().click();
  await page.keyboard.press("Control+Home");
  await compose(page, ["z", "zhe"], "这一天，");
  await expect(page.getByText("已保存", { exact: true })).toBeVisible();
  await page.reload();
  await expect(prose(page).locator("[data-comment]").first()).toBeVisible();
  expect((await commentsOf(api, sample))[0]?.quote).toBe(words.trim());

  await prose(page).locator("[data-comment]").first().click();
  await side.getByRole("button", { name: "回复", exact: true }).click();
  await side.getByRole("textbox", { name: "回复内容" }).fill("写出声音来");
  await page.keyboard.press("Control+Enter");
  await expect(side.getByText("写出声音来")).toBeVisible();
  await side.getByRole("button", { name: "解决", exact: true }).click();
  await expect.poll(async () => (await commentsOf(api, sample))[0]?.resolved).toBe(true);
});

test("suggested words stand among the proposals and are taken or declined", async ({ page, api, sample }) => {
  await appearing(page, "zh", "light");
  await api.put(`/projects/${sample}/chapters/d-3/text`, { text: "雨停了。\n他把灯点亮。\n" });
  const suggest = (quote: string, replacement: string) =>
    api.post(`/projects/${sample}/comments`, { comment: { chapter: "d-3", quote, replacement } });
  await suggest("把灯点亮", "吹灭了灯");
  await suggest("雨停了", "雪停了");
  await page.goto(`/p/${sample}/write/d-3`);
  await expect(prose(page).locator("[data-proposal]")).toHaveCount(2);
  await page.getByRole("button", { name: /^批注：2 条/ }).click();
  const side = page.getByRole("complementary", { name: "批注" });
  const of = (words: string) => side.getByRole("listitem").filter({ hasText: words });
  await of("吹灭了灯").getByRole("button", { name: "采纳", exact: true }).click();
  await expect(prose(page)).toContainText("他吹灭了灯。");
  await of("雪停了").getByRole("button", { name: "不采纳" }).click();
  await expect(prose(page).locator("[data-proposal]")).toHaveCount(0);
  await expect(prose(page)).toContainText("雨停了。");
  await expect.poll(async () => (await commentsOf(api, sample)).every(({ resolved }) => resolved)).toBe(true);
  const text = async () => (await api.get<{ text: string }>(`/projects/${sample}/chapters/d-3/text`)).text;
  await expect.poll(text).toBe("雨停了。\n他吹灭了灯。\n");
});

test("a suggestion that was taken is open again once that is undone", async ({ page, api, sample }) => {
  await appearing(page, "zh", "light");
  await api.put(`/projects/${sample}/chapters/d-3/text`, { text: "雨停了。\n他把灯点亮。\n" });
  const comment = { chapter: "d-3", quote: "把灯点亮", replacement: "吹灭了灯" };
  await api.post(`/projects/${sample}/comments`, { comment });
  await page.goto(`/p/${sample}/write/d-3`);
  const proposal = prose(page).locator("[data-proposal]");
  await expect(proposal).toHaveCount(1);
  await page.getByRole("button", { name: /^批注：1 条/ }).click();
  const side = page.getByRole("complementary", { name: "批注" });
  await side.getByRole("button", { name: "采纳", exact: true }).click();
  await expect(prose(page)).toContainText("他吹灭了灯。");
  const isResolved = async () => (await commentsOf(api, sample))[0]?.resolved;
  await expect.poll(isResolved).toBe(true);

  await prose(page).locator("p").first().click();
  await page.keyboard.press("Control+z");
  await expect.poll(isResolved).toBe(false);
  await expect(proposal).toHaveCount(1);
  const text = async () => (await api.get<{ text: string }>(`/projects/${sample}/chapters/d-3/text`)).text;
  await expect.poll(text).toBe("雨停了。\n他把灯点亮。\n");
});

test("a comment whose words are gone says so, and comes back with them", async ({ page, api, sample }) => {
  await appearing(page, "zh", "light");
  const text = "雨停了。\n他把灯点亮。\n";
  const put = async (wanted: string) => {
    await api.put(`/projects/${sample}/chapters/d-3/text`, { text: wanted });
  };
  await put(text);
  const comment = { chapter: "d-3", quote: "把灯点亮", text: "哪盏灯？" };
  await api.post(`/projects/${sample}/comments`, { comment });
  await put("雨停了。\n");
  await page.goto(`/p/${sample}/write/d-3`);
  await page.getByRole("button", { name: /^批注：1 条/ }).click();
  await expect(page.getByText("原文已不在")).toBeVisible();
  await put(text);
  await page.reload();
  await expect(prose(page).locator("[data-comment]")).toHaveText("把灯点亮");
});

test("a comment is sent to an agent as an order about its words", async ({ page, api, sample }) => {
  await appearing(page, "en", "light");
  const orders = await answering(page, sample, async () =>
    firstSentence(
      (await api.get<{ text: string }>(`/projects/${sample}/chapters/d-2/text`)).text,
      words,
      "雨终于停了。",
    ),
  );
  await page.goto(`/p/${sample}/write/d-2`);
  await expect(prose(page)).toBeVisible();
  const words = await select(page, 0);
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  const side = page.getByRole("complementary", { name: "Comments" });
  await side.getByRole("textbox", { name: "Comment" }).fill("Let us hear the rain.");
  await side.getByRole("button", { name: "Add comment" }).click();
  await side.getByRole("button", { name: "Send to the agents" }).click();
  await expect.poll(() => orders.started.length).toBe(1);
  expect(orders.started[0]).toMatchObject({
    task: { chapter: "d-2", description: "Let us hear the rain.", context: { kind: "rewrite" } },
  });
  orders.release();
  await expect(prose(page).locator("[data-proposal]").first()).toContainText("雨终于停了。");
});
