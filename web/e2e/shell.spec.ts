import { appearing, expect, test } from "./studio";

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
  await page.keyboard.press("Control+.");
  await expect(page.getByRole("tree")).toBeVisible();
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
