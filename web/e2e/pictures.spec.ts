import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { type Api, appearing, expect, test } from "./studio";

/** A picture of one red dot, and of one blue dot. */
const RED =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const BLUE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==";

type Row = { card: string; name: string; alt: string; digest: string };
const rows = (api: Api, project: string) => api.get<Row[]>(`/projects/${project}/pictures`);

/** Drops a file on the place of the picture. */
async function drop(page: Page, picture: string, type = "image/png") {
  const data = await page.evaluateHandle(
    ([picture, type]) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], "picture.png", { type }));
      return transfer;
    },
    [picture, type] as const,
  );
  await page.getByText("也可以把图片拖到这里").dispatchEvent("drop", { dataTransfer: data });
}

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("somebody gets a picture, which is described, shown in lists, replaced and removed", async ({
  page,
  api,
  sample,
}) => {
  await page.goto(`/p/${sample}/characters/c-1`);
  const main = page.getByRole("main");
  const name = (await main.getByRole("heading", { level: 1 }).textContent()) ?? "";
  await main
    .locator("input[type=file]")
    .setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from(RED, "base64") });
  await expect(main.getByRole("img", { name: `${name}的图片` })).toBeVisible();
  const [first] = await rows(api, sample);
  expect(first).toMatchObject({ card: "c-1", name, alt: "" });

  await main.getByLabel("文字说明").fill("站在水尺边的人");
  await main.getByRole("button", { name: "保存说明" }).click();
  await expect(main.getByRole("img", { name: "站在水尺边的人" })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag22aa"]).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);

  await drop(page, BLUE);
  await expect.poll(async () => (await rows(api, sample))[0]?.digest).not.toBe(first?.digest);
  expect((await rows(api, sample))[0]?.alt).toBe("站在水尺边的人");

  await page.goto(`/p/${sample}/characters`);
  await expect(main.locator("header img")).toHaveCount(1);
  await page.goto(`/p/${sample}/relations`);
  await expect(main.locator("img").first()).toBeVisible();

  await page.goto(`/p/${sample}/characters/c-1`);
  await main.getByRole("button", { name: "去掉图片" }).click();
  await expect(main.getByRole("button", { name: "添加图片" })).toBeVisible();
  await expect.poll(() => rows(api, sample)).toEqual([]);
});

test("a drawing that may carry a script is refused with a reason", async ({ page, api, sample }) => {
  await page.goto(`/p/${sample}/characters/c-1`);
  const svg = Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>");
  await drop(page, svg.toString("base64"), "image/svg+xml");
  await expect(page.getByText("这张图片不能用")).toBeVisible();
  expect(await rows(api, sample)).toEqual([]);
});
