import AxeBuilder from "@axe-core/playwright";
import { appearing, expect, test } from "./studio";

/** A reference of eight chapters, each of which ends with a question. */
const reference = Array.from({ length: 8 }, (_, at) => at + 1)
  .map(
    (number) =>
      `第${number}章 夜航${number}\n\n船在第${number}个夜里离了岸，谁也没有点灯。\n\n“往北走。”林青说。“${number}里路就到。”林青说。“把帆收了。”林青说。\n\n他数着浪，数到${number * 7}就停下来。是谁在船尾敲门？\n\n`,
  )
  .join("");

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("a reference is taken apart, and its structure is kept as a genre", async ({ page, api, sample }) => {
  await page.goto(`/p/${sample}/export`);
  const main = page.getByRole("main");
  await main.getByRole("tab", { name: "参考书" }).click();
  await main
    .locator("input[type=file]")
    .setInputFiles({ name: "夜航.txt", mimeType: "text/plain", buffer: Buffer.from(reference) });
  const table = main.getByRole("table");
  await expect(table.getByRole("row")).toHaveCount(9);
  await expect(table.getByRole("row").nth(1)).toContainText("林青");
  await expect(main.getByText("是谁在船尾敲门")).toHaveCount(0);
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag22aa"]).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);

  await main.getByLabel("题材名称").fill("yehang");
  await main.getByRole("button", { name: "保存", exact: true }).click();
  await expect(main.getByText("已存为题材“yehang”。")).toBeVisible();
  const genres = await api.get<{ own: boolean; genre: { id: string; hooks: string[] } }[]>("/genres");
  const kept = genres.find(({ genre }) => genre.id === "yehang");
  expect(kept).toMatchObject({ own: true });
  expect(JSON.stringify(kept)).not.toContain("林青");

  await main.getByRole("button", { name: "保存", exact: true }).click();
  await expect(main.getByText("已有同名的题材")).toBeVisible();
  await main.getByLabel("替换同名的题材").check();
  await main.getByRole("button", { name: "保存", exact: true }).click();
  await expect(main.getByText("已有同名的题材")).toHaveCount(0);
});
