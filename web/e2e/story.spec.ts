import { appearing, expect, test } from "./studio";

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("somebody's card tells what happens to them, chapter by chapter", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/characters/c-1`);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "弧线" })).toBeVisible();
  await expect(main.getByText(/12 章里出现 \d+ 章/)).toBeVisible();
  await main.getByRole("link", { name: "陆尺素到站" }).click();
  await expect(page).toHaveURL(/\/timeline\//);
});
