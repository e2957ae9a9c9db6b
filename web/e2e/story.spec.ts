import { readFileSync } from "node:fs";
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

test("the graph of relations is kept as a picture, twice as fine as the page", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/relations`);
  const main = page.getByRole("main");
  await expect(main.getByText("覃稻生").first()).toBeVisible();
  const download = page.waitForEvent("download");
  await main.getByRole("button", { name: "保存为图片" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/ 关系\.png$/);
  const bytes = readFileSync(await file.path());
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  // The size stands in the first block of the file.
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  expect(Math.min(width, height)).toBeGreaterThan(400);
  // A picture without its words would weigh next to nothing.
  const ink = await page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 90) dark += 1;
    return dark;
  }, bytes.toString("base64"));
  expect(ink).toBeGreaterThan(2_000);
});
