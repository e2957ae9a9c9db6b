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

  await main.getByRole("button", { name: "添加关系" }).click();
  const relation = main.locator("form");
  await relation.getByLabel("谁", { exact: true }).selectOption(first);
  await relation.getByLabel("对谁").selectOption(second);
  await relation.getByLabel("是什么").selectOption({ label: "相识" });
  await relation.getByLabel("自定的关系").selectOption("受供于");
  await relation.getByRole("button", { name: "添加", exact: true }).click();
  await expect(relation).toHaveCount(0);
  await main.getByRole("radio", { name: "表" }).check();
  await expect(main.getByRole("row").filter({ hasText: "受供于" })).toContainText(second);
  expect((await story()).character_relations.map(({ own_kind }) => own_kind)).toContain("受供于");
});
