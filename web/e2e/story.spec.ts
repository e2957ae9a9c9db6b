import { readFileSync } from "node:fs";
import { appearing, expect, test } from "./studio";

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("somebody's card tells what happens to them, chapter by chapter", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/characters/c-1`);
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "人物弧线" })).toBeVisible();
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

test("an author's own fields are put on a card and stand there in their order", async ({
  page,
  api,
  sample,
}) => {
  await page.goto(`/p/${sample}/characters/c-1`);
  const form = page.getByRole("main").locator("form");
  await form.getByLabel("性别").fill("女");
  await form.getByLabel("外貌").fill("左眉有一道疤");
  for (const [index, [name, value]] of (
    [
      ["口头禅", "晓得了"],
      ["左手", "会结水手结"],
    ] as const
  ).entries()) {
    await form.getByRole("button", { name: "添加：自定义栏" }).click();
    const row = form.getByRole("listitem", { name: `自定义栏 · ${index + 1}`, exact: true });
    await row.getByLabel("栏目").fill(name);
    await row.getByLabel("内容").fill(value);
  }
  await form.getByRole("button", { name: "上移：自定义栏 · 2" }).click();
  await form.getByRole("button", { name: "保存" }).click();
  const notes = page.getByRole("main").locator("dl").first();
  await expect(notes.getByRole("term")).toHaveText(["外貌", "左手", "口头禅"]);
  type Card = { id: string; gender?: string; custom?: { name: string }[] };
  const { characters } = await api.get<{ characters: Card[] }>(`/projects/${sample}/story`);
  const card = characters.find(({ id }) => id === "c-1");
  expect([card?.gender, card?.custom?.map(({ name }) => name)]).toEqual(["女", ["左手", "口头禅"]]);
});

test("an author's own kind of relation is declared and stands between two people", async ({
  page,
  api,
  sample,
}) => {
  type Told = { characters: { name: string }[]; character_relations: { own_kind?: string }[] };
  const story = () => api.get<Told>(`/projects/${sample}/story`);
  const [first = "", second = ""] = (await story()).characters.map(({ name }) => name);
  await page.goto(`/p/${sample}/relations`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "自定关系" }).click();
  const kinds = main.locator("form");
  await kinds.getByRole("button", { name: "添加：自定的关系种类" }).click();
  await kinds.getByLabel("名称").fill("供奉");
  await kinds.getByLabel("反过来怎么说").fill("受供于");
  await kinds.getByRole("button", { name: "保存" }).click();
  await expect(kinds).toHaveCount(0);
  await page.reload();

  await main.getByRole("button", { name: "添加关系" }).click();
  const relation = main.locator("form");
  await relation.getByRole("combobox", { name: "谁", exact: true }).selectOption(first);
  await relation.getByLabel("对谁").selectOption(second);
  await relation.getByLabel("是什么").selectOption({ label: "熟人" });
  await relation.getByLabel("自定的关系").selectOption("受供于");
  await relation.getByRole("button", { name: "添加", exact: true }).click();
  await expect(relation).toHaveCount(0);
  await main.getByRole("radio", { name: "表" }).check();
  await expect(main.getByRole("row").filter({ hasText: "受供于" })).toContainText(second);
  expect((await story()).character_relations.map(({ own_kind }) => own_kind)).toContain("受供于");
});

test("the earlier book of a series is searched and asked, and named beside what it says", async ({
  page,
  api,
}) => {
  const made = async (title: string, text: string) => {
    const documents = [{ id: "d-1", title: "第一章 开头", order: 1, version: 1, text }];
    const file = { story: { language: "zh", documents }, unknown: [] };
    return (await api.post<{ project: { project: string } }>("/stories", { file, title })).project.project;
  };
  const first = await made("潮声", "老周把黄铜罗盘埋在灯塔下面。");
  const second = await made("归潮", "林青回到港口，听见雾钟。");
  await api.put(`/projects/${second}/series`, { books: [{ project: first }] });
  await page.goto(`/p/${second}/search/${encodeURIComponent("黄铜罗盘")}`);
  const main = page.getByRole("main");
  await expect(main.getByText("老周把黄铜罗盘埋在灯塔下面。")).toHaveCount(0);
  await main.getByRole("switch", { name: "也搜前作与原作" }).click();
  const hit = main.getByRole("listitem").filter({ hasText: "《潮声》" }).first();
  await expect(hit).toContainText("埋在灯塔下面");
  await expect(hit.getByRole("link").first()).toHaveAttribute("href", new RegExp(`/p/${first}/`));

  const agents = page.getByRole("complementary");
  await agents.getByRole("button", { name: "问", exact: true }).click();
  await agents.getByRole("switch", { name: "也问前作与原作" }).click();
  await agents.getByRole("textbox", { name: "对智能体说" }).fill("谁把黄铜罗盘埋在灯塔下面？");
  await agents.getByRole("textbox", { name: "对智能体说" }).press("Enter");
  await expect(agents.getByText("《潮声》").first()).toBeVisible();
});
