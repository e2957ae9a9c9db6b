import type { Page } from "@playwright/test";
import { type Api, appearing, compose, expect, test } from "./studio";

const PINYIN = ["n", "ni", "ni h", "ni hao"];

type Chapter = { id: string; text: string; version: number };

const prose = (page: Page) => page.getByTestId("prose");
const chapter = (api: Api, project: string, id: string) =>
  api.get<Chapter>(`/projects/${project}/chapters/${id}/text`);

/** Opens a chapter of the sample book with the caret at its end. */
async function open(page: Page, project: string, id: string): Promise<void> {
  await page.goto(`/p/${project}/write/${id}`);
  const last = prose(page).locator("p").last();
  await expect(last).toBeVisible();
  await last.click();
  // Not End, which goes to the end of a line: the click falls between two lines of a paragraph of two.
  await page.keyboard.press("Control+End");
  await expect.poll(() => page.evaluate(isCaretAtEnd)).toBe(true);
}

/** Whether nothing stands behind the caret; runs in the page. */
function isCaretAtEnd(): boolean {
  const caret = getSelection();
  const last = document.querySelector('[data-testid="prose"] > p:last-of-type');
  if (!caret?.isCollapsed || !caret.focusNode || !last?.contains(caret.focusNode)) return false;
  const behind = document.createRange();
  behind.setStart(caret.focusNode, caret.focusOffset);
  behind.setEndAfter(last);
  return behind.toString() === "";
}

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("what is typed is saved by itself, and is there after a reload", async ({ page, api, sample }) => {
  await open(page, sample, "d-1");
  await page.keyboard.press("Enter");
  await page.keyboard.insertText("雨停了。");
  await expect(page.getByText("已保存", { exact: true })).toBeVisible({ timeout: 10_000 });
  expect((await chapter(api, sample, "d-1")).text).toContain("雨停了。");
  await page.reload();
  await expect(prose(page)).toContainText("雨停了。");
});

test("an edit that breaks continuity is found where it stands, and gone when it is taken back", async ({
  page,
  api,
  sample,
}) => {
  await open(page, sample, "d-1");
  await page.keyboard.press("Enter");
  // He has ten chapters before him.
  await page.keyboard.insertText("丘四死了。");
  await expect(page.getByText(/[1-9]\d* 个问题/).first()).toBeVisible({ timeout: 15_000 });
  await expect(page.getByText(/死后仍参与/).first()).toBeVisible();
  await page.goto(`/p/${sample}/findings`);
  await expect(
    page
      .getByRole("main")
      .getByText(/死后仍参与/)
      .first(),
  ).toBeVisible();
  await page.goto(`/p/${sample}/write/d-1`);
  await prose(page).locator("p", { hasText: "丘四死了。" }).click({ clickCount: 3 });
  await page.keyboard.press("Backspace");
  await expect.poll(async () => (await chapter(api, sample, "d-1")).text).not.toContain("丘四死了");
  await expect(page.getByText(/[1-9]\d* 个问题/)).toHaveCount(0, { timeout: 15_000 });
});

test("a version that was written over is found in the history and put back", async ({
  page,
  api,
  sample,
}) => {
  const before = await chapter(api, sample, "d-4");
  await api.put(`/projects/${sample}/chapters/d-4/text`, { text: "只剩一句。", expected: before.version });
  await page.goto(`/p/${sample}/write/d-4`);
  await expect(prose(page)).toContainText("只剩一句。");
  await page.getByRole("button", { name: "历史" }).click();
  const history = page.getByLabel("历史版本");
  await expect(history).toBeVisible();
  await history.getByRole("button", { expanded: false }).last().click();
  await page.getByRole("button", { name: "换回这一版" }).first().click();
  await expect(prose(page)).toContainText(before.text.slice(0, 12));
  await expect.poll(async () => (await chapter(api, sample, "d-4")).text).toBe(before.text);
});

test("what was written over is put back place by place, and undone", async ({ page, api, sample }) => {
  const before = await chapter(api, sample, "d-7");
  const lines = before.text.split("\n");
  const changed = [`天亮了。${lines[0]}`, ...lines.slice(1, -1), `${lines.at(-1)}天又黑了。`].join("\n");
  await api.put(`/projects/${sample}/chapters/d-7/text`, { text: changed, expected: before.version });
  await page.goto(`/p/${sample}/write/d-7`);
  await expect(prose(page)).toContainText("天又黑了。");
  await page.getByRole("button", { name: "历史" }).click();
  await page.getByLabel("历史版本").getByRole("button", { expanded: false }).last().click();
  await page.getByRole("button", { name: "逐处换回" }).click();
  await expect(page.getByText("与那一版有 2 处不同", { exact: false })).toBeVisible();
  await prose(page).locator("p").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Alt+Enter");
  await page.getByRole("button", { name: "全部拒绝" }).click();
  const half = changed.replace("天亮了。", "");
  await expect.poll(async () => (await chapter(api, sample, "d-7")).text).toBe(half);
  await prose(page).locator("p").first().click();
  await page.keyboard.press("Control+z");
  await expect.poll(async () => (await chapter(api, sample, "d-7")).text).toBe(changed);
});

test("a word that is composed while an agent's text arrives is neither lost nor garbled", async ({
  page,
  api,
  sample,
}) => {
  await open(page, sample, "d-2");
  const before = await chapter(api, sample, "d-2");
  const [first = ""] = before.text.split("\n\n");
  await compose(page, PINYIN, "你好", async () => {
    const text = before.text.replace(first, `${first}远处传来汽笛。`);
    await api.put(`/projects/${sample}/chapters/d-2/text`, { text, expected: before.version });
    await page.waitForTimeout(4_500);
  });
  await expect(prose(page)).toContainText("你好");
  await expect(prose(page)).not.toContainText(/ni ?h|nini/);
  // Both sides are there for the author to decide: nothing was taken in silently.
  await expect(page.getByText("远处传来汽笛。").or(page.getByLabel("两边都改了这一章")).first()).toBeVisible({
    timeout: 15_000,
  });
});

test("somebody is referred to by @, and looked up where their name stands", async ({ page, sample }) => {
  await open(page, sample, "d-6");
  await page.keyboard.press("Enter");
  await page.keyboard.insertText("她看见＠");
  const names = page.getByRole("listbox", { name: "可以引用的名字" });
  await expect(names.getByRole("option").first()).toHaveAttribute("aria-selected", "true");
  // A word that is composed is looked for once it is chosen, and Enter picks no name before.
  await compose(page, ["q", "qiu"], "丘");
  await expect(names.getByRole("option")).toHaveText([/^丘四/]);
  await page.keyboard.press("Enter");
  await expect(names).toHaveCount(0);
  const line = prose(page).locator("p").last();
  await expect(line).toHaveText("她看见丘四");
  await page.keyboard.press("Alt+/");
  const card = page.getByRole("dialog", { name: "丘四" });
  await expect(card).toBeFocused();
  await expect(card.getByRole("link", { name: "打开卡片" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await page.keyboard.insertText("。");
  await expect(line).toHaveText("她看见丘四。");
  // One step back takes the name, and leaves what was typed.
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect(line).toHaveText("她看见＠丘");
  await page.keyboard.press("Escape");
  await expect(names).toHaveCount(0);
});

test("saves in a row are one change, which is taken back and brought again", async ({
  page,
  api,
  sample,
}) => {
  const before = await chapter(api, sample, "d-5");
  await open(page, sample, "d-5");
  await page.keyboard.press("Enter");
  for (const words of ["雨停了。", "又下了。"]) {
    await page.keyboard.insertText(words);
    await expect
      .poll(async () => (await chapter(api, sample, "d-5")).text, { timeout: 10_000 })
      .toContain(words);
  }
  await page.goto(`/p/${sample}`);
  const changes = page.getByRole("region", { name: "最近的改动" }).locator("> ol > li");
  const row = changes.first();
  await expect(row).toContainText("连着保存 2 次");
  await row.getByRole("button").first().click();
  await expect(row.locator("ins")).toContainText("雨停了。又下了。");
  await row.getByRole("button", { name: "撤销这次改动" }).click();
  await row.getByRole("button", { name: "撤销这次改动" }).last().click();
  await expect.poll(async () => (await chapter(api, sample, "d-5")).text).toBe(before.text);
  await expect(changes.first()).toContainText("撤销：");
  await changes.nth(1).getByRole("button", { name: "回到这时" }).click();
  await changes.nth(1).getByRole("button", { name: "回到这时" }).last().click();
  await expect.poll(async () => (await chapter(api, sample, "d-5")).text).toContain("雨停了。又下了。");
});

test("Enter that picks a candidate does not send what is said to the agents", async ({ page, sample }) => {
  await page.goto(`/p/${sample}`);
  const composer = page.getByRole("textbox", { name: "对智能体说" });
  await composer.click();
  const browser = await page.context().newCDPSession(page);
  for (const text of PINYIN) {
    await browser.send("Input.imeSetComposition", {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }
  const enter = { key: "Enter", code: "Enter", windowsVirtualKeyCode: 229 };
  await browser.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await browser.send("Input.insertText", { text: "你好" });
  await expect(composer).toHaveValue("你好");
});

test("two tabs on one chapter lose nothing without being asked", async ({ page, context, api, sample }) => {
  await open(page, sample, "d-3");
  const other = await context.newPage();
  await appearing(other, "zh", "light");
  await open(other, sample, "d-3");
  await other.keyboard.press("Enter");
  await other.keyboard.insertText("乙页写的。");
  await page.bringToFront();
  await prose(page).click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.insertText("甲页写的。");
  await expect
    .poll(async () => (await chapter(api, sample, "d-3")).text, { timeout: 20_000 })
    .toMatch(/甲页写的。|乙页写的。/);
  await page.waitForTimeout(6_000);
  const seen = (await prose(page).innerText()) + (await prose(other).innerText());
  const saved = (await chapter(api, sample, "d-3")).text;
  expect(seen + saved).toContain("甲页写的。");
  expect(seen + saved).toContain("乙页写的。");
});
