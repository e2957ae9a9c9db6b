import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { type Api, appearing, expect, test } from "./studio";

type Written = { documents: { id: string; text: string; title: string; order: number }[] };
type World = { worldview: { ladders?: { name: string; steps: { name: string; costs: unknown[] }[] }[] } };

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

async function isAccessible(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  expect(violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)).toEqual([]);
}

const ladders = async (api: Api, project: string) =>
  (await api.get<World>(`/projects/${project}/story`)).worldview.ladders ?? [];

/** Places somebody on a step, or counts something, by the first sentence of a chapter. */
async function say(api: Api, project: string, at: number, fact: Record<string, unknown>): Promise<string> {
  const { documents } = await api.get<Written>(`/projects/${project}/story`);
  const document = documents.filter(({ order }) => order > 0).sort((a, b) => a.order - b.order)[at];
  const quote = document?.text.split("。")[0]?.trim().split("\n").at(-1) ?? "";
  const data = { ...fact, from: document?.title, source: { document: document?.id, quote } };
  await api.post(`/projects/${project}/tools/story_tool`, {
    arguments: { action: "create", kind: "fact", data },
    language: "zh",
  });
  return quote;
}

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("a ladder is written down, and says who stands where as of a chapter", async ({ page, api, sample }) => {
  await page.goto(`/p/${sample}/ladders`);
  await page.getByRole("button", { name: "添加阶梯" }).first().click();
  const form = page.getByRole("main").locator("form");
  await form.getByLabel("名称").fill("船衔");
  for (const [index, name] of ["水手", "二副", "大副"].entries()) {
    await form.getByRole("button", { name: "添加：各级（从低到高）" }).click();
    const row = form.getByRole("listitem", { name: `各级（从低到高） · ${index + 1}`, exact: true });
    await row.getByLabel("名称").fill(name);
  }
  const second = form.getByRole("listitem", { name: "各级（从低到高） · 2", exact: true });
  await second.getByRole("button", { name: "添加：代价" }).click();
  await second.getByLabel("付出什么").fill("航程");
  await second.getByLabel("多少（0 为不计数）").fill("3");
  await form.getByRole("button", { name: "添加", exact: true }).click();
  await expect(page.getByRole("heading", { level: 2, name: "船衔" })).toBeVisible();
  await expect
    .poll(() => ladders(api, sample))
    .toMatchObject([
      {
        name: "船衔",
        steps: [{ name: "水手" }, { name: "二副", costs: [{ what: "航程", amount: 3 }] }, { name: "大副" }],
      },
    ]);

  const { characters } = await api.get<{ characters: { name: string }[] }>(`/projects/${sample}/story`);
  const who = characters[0]?.name ?? "";
  await say(api, sample, 0, { subject: who, predicate: "船衔", value: "水手" });
  const quote = await say(api, sample, 2, { subject: who, predicate: "船衔", value: "大副" });
  await page.reload();
  const standing = page.getByRole("region", { name: "船衔: 各人所在" });
  await expect(standing.getByRole("listitem")).toContainText("大副");
  await expect(standing).toContainText(quote);
  // The slider answers to the keyboard.
  await page.getByRole("slider", { name: "截至" }).press("Home");
  await expect(standing.getByRole("listitem")).toContainText("水手");
  await standing.getByRole("link", { name: "第 1 章" }).click();
  await expect(page).toHaveURL(/\/write\//);
});

test("a phone reads the panel of somebody, and changes the order of steps", async ({ page, api, sample }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await api.post(`/projects/${sample}/tools/story_tool`, {
    arguments: {
      action: "create",
      kind: "ladder",
      data: { name: "船衔", steps: [{ name: "大副" }, { name: "水手" }] },
    },
    language: "zh",
  });
  const { characters } = await api.get<{ characters: { name: string }[] }>(`/projects/${sample}/story`);
  const who = characters[0]?.name ?? "";
  await say(api, sample, 0, { subject: who, predicate: "水性", value: 12 });
  await page.goto(`/p/${sample}/ladders`);
  await page.getByRole("radio", { name: "面板" }).check();
  await page.getByLabel("谁的面板").selectOption(who);
  await expect(page.getByRole("main").getByRole("definition").filter({ hasText: "12" })).toBeVisible();
  await isAccessible(page);

  await page.getByRole("radio", { name: "阶梯" }).check();
  await page.getByRole("button", { name: "编辑: 船衔" }).click();
  await page.getByRole("button", { name: "上移：各级（从低到高） · 2" }).click();
  await isAccessible(page);
  const wide = await page.evaluate(
    () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
  );
  expect(wide).toBe(false);
  await page.getByRole("button", { name: "保存" }).click();
  await expect
    .poll(async () => (await ladders(api, sample))[0]?.steps.map(({ name }) => name))
    .toEqual(["水手", "大副"]);
});
