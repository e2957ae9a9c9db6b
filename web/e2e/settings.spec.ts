import { appearing, expect, test } from "./studio";

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

type Row = { key: string; value: unknown; layer: string };

test("a budget is set, refused where it is wrong, and taken away", async ({ page, api }) => {
  await page.goto("/settings#budget");
  const tokens = page.getByLabel("每次运行的用量");
  const save = page.getByRole("button", { name: "保存" });
  await expect(save).toBeDisabled();

  await tokens.fill("很多");
  await save.click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(tokens).toHaveAttribute("aria-invalid", "true");

  await tokens.fill("500000");
  await page.getByLabel("每天的金额").fill("20");
  await page.getByLabel("货币").fill("cny");
  await save.click();
  await expect(page.getByLabel("货币")).toHaveValue("CNY");
  await expect(page.getByRole("status").filter({ hasText: "已写进用户文件" })).toBeVisible();
  const kept = async () =>
    Object.fromEntries(
      (await api.get<Row[]>("/settings"))
        .filter(({ key }) => key.startsWith("budget.") && key !== "budget.free_models")
        .map(({ key, value }) => [key, value]),
    );
  await expect
    .poll(kept)
    .toEqual({ "budget.tokens": 500_000, "budget.currency": "CNY", "budget.per_day_money": 20 });

  await page.getByRole("switch", { name: "用量上限也管免费的模型" }).click();
  const free = async () =>
    (await api.get<Row[]>("/settings")).find(({ key }) => key === "budget.free_models")?.value;
  await expect.poll(free).toBe(true);
  await page.getByRole("switch", { name: "用量上限也管免费的模型" }).click();
  await expect.poll(free).toBe(false);

  await tokens.fill("");
  await page.getByLabel("每天的金额").fill("");
  await page.getByLabel("货币").fill("");
  await save.click();
  await expect.poll(kept).toEqual({});
});

test("a model is chosen for a role, doubted where it could not serve, and taken out", async ({
  page,
  api,
}) => {
  await page.goto("/settings#models");
  await page.getByText("给单个角色另选模型").click();
  const writer = page.getByLabel("写作", { exact: true });
  await writer.fill("nobody/large");
  await expect(page.getByText("不认识这个服务商。")).toBeVisible();
  await writer.fill("offline-rules-1");
  await expect(page.getByText("不认识这个服务商。")).toBeHidden();
  await page.getByRole("button", { name: "保存" }).click();
  const set = async () => (await api.get<Row[]>("/settings")).find(({ key }) => key === "models.writer");
  await expect.poll(set).toMatchObject({ value: "offline-rules-1", layer: "user" });
  await expect(writer).toHaveValue("offline-rules-1");
  await writer.fill("");
  await page.getByRole("button", { name: "保存" }).click();
  await expect.poll(set).toBeUndefined();
});

test("a setting is changed where it stands, and is as it was without it", async ({ page, api }) => {
  await page.goto("/settings#settings");
  await page.getByPlaceholder("名称、值或来源").fill("writing.words");
  await page.getByRole("button", { name: "修改 writing.words" }).click();
  await page.getByRole("textbox", { name: "writing.words" }).fill("两千");
  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("alert")).toContainText("writing.words");
  await page.getByRole("textbox", { name: "writing.words" }).fill("1800");
  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("status").filter({ hasText: "writing.words 已写进用户文件" })).toBeVisible();
  const row = async () => (await api.get<Row[]>("/settings")).find(({ key }) => key === "writing.words");
  expect(await row()).toMatchObject({ value: 1800, layer: "user" });
  await page.getByRole("button", { name: "从文件里移除 writing.words" }).click();
  await expect.poll(row).toMatchObject({ value: 2500, layer: "default" });
});

test("a prompt is looked at, written anew and restored", async ({ page, sample }) => {
  await page.goto("/settings#prompts");
  await page.getByPlaceholder("智能体或用途").fill("outline generate");
  await page.getByRole("button", { name: "outline/generate.zh.md" }).click();
  const text = page.getByLabel("你写的");
  await expect(text).toHaveValue(/规划大纲/);
  const filled = page.getByRole("region", { name: "模型读到的样子" });
  await expect(filled).toContainText("灯塔看守人");
  await page.getByLabel("用什么来填").selectOption(sample);
  await expect(filled).not.toContainText("灯塔看守人");

  await text.fill("只写三章。\n{{ taks }}");
  await page.getByRole("button", { name: "预览" }).click();
  await expect(filled.getByRole("alert")).toContainText("taks");
  await page.getByRole("button", { name: "保存" }).click();
  await page.getByRole("button", { name: "第 2 行" }).first().click();
  await expect(text).toBeFocused();

  await text.fill("只写三章。\n{{ task }}");
  await page.getByLabel("用什么来填").selectOption("");
  await expect(filled).toContainText("只写三章。");
  await expect(text).toHaveValue("只写三章。\n{{ task }}");
  await page.getByRole("button", { name: "保存" }).click();
  await expect(page.getByRole("button", { name: "恢复内置" })).toBeVisible();
  await expect(filled).toContainText("只写三章。");
  await page.getByRole("button", { name: "全部提示词" }).click();
  await page.getByRole("switch", { name: "只看我写的" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "我写的" })).toHaveCount(1);
  await page.getByRole("button", { name: "outline/generate.zh.md" }).click();
  await page.getByRole("button", { name: "恢复内置" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "恢复内置" }).click();
  await expect(page.getByLabel("你写的")).toHaveValue(/规划大纲/);
});

test("a server of tools is added, tried, changed and removed", async ({ page, api }) => {
  await page.goto("/settings#tools");
  await page.getByRole("button", { name: "添加服务器" }).click();
  await page.getByLabel("名称", { exact: true }).fill("far");
  await page.getByText("地址", { exact: true }).first().click();
  await page.getByLabel("地址", { exact: true }).last().fill("http://127.0.0.1:9/mcp");
  await page.getByLabel("请求头").fill("authorization: canary-77");
  await page.getByRole("button", { name: "保存" }).click();
  const server = page.getByRole("article", { name: "far" });
  await expect(server).toContainText("http://127.0.0.1:9/mcp");
  await server.getByRole("button", { name: "试一下" }).click();
  await expect(server.getByRole("status")).toContainText("cannot be had");

  await server.getByRole("button", { name: "修改" }).click();
  await expect(page.getByLabel("请求头")).toHaveValue("authorization: ***");
  await page.getByLabel("每次调用的秒数").fill("5");
  await page.getByRole("button", { name: "保存" }).click();
  const told = async () => JSON.stringify(await api.get<Row[]>("/settings"));
  await expect.poll(told).toContain("mcp_servers.far.timeout");
  expect(await told()).not.toContain("canary-77");

  await server.getByRole("button", { name: "移除" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "移除" }).click();
  await expect(server).toHaveCount(0);
});

test("a user is added, and keys can be made for them", async ({ page }) => {
  await page.goto("/settings#access");
  const id = page.getByLabel("标识");
  await id.fill("Anna Li");
  await expect(page.getByRole("button", { name: "添加用户" })).toBeDisabled();
  await id.fill("anna");
  await page.getByRole("button", { name: "添加用户" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "anna" })).toBeVisible();
  await expect(page.getByLabel("用户", { exact: true })).toContainText("anna");
});

test("a member of a book is added, given another role and removed", async ({ page, api, sample }) => {
  await page.goto(`/p/${sample}/settings#members`);
  await expect(page.getByText("还没有成员")).toBeVisible();
  await page.getByLabel("名字").fill("林梅");
  await page.getByRole("button", { name: "添加成员" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "林梅的密钥已建好" })).toContainText("qy_");
  await page.getByRole("button", { name: "我已保存" }).click();
  const members = async () =>
    (await api.get<{ name: string; role: string }[]>(`/projects/${sample}/members`)).map(
      ({ name, role }) => `${name} ${role}`,
    );
  await expect.poll(members).toEqual(["林梅 comment"]);
  await page.getByLabel("林梅的角色").selectOption("write");
  await expect.poll(members).toEqual(["林梅 write"]);

  await page.getByLabel("名字").fill("林梅");
  await page.getByRole("button", { name: "添加成员" }).click();
  await expect(page.getByRole("alert")).toContainText("名字不能重复");
  await page.getByRole("button", { name: "移除：林梅" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "移除：林梅" }).click();
  await expect.poll(members).toEqual([]);
});

test("what a bug report needs is shown before it is saved", async ({ page }) => {
  await page.goto("/settings#about");
  await page.getByRole("button", { name: "看看内容" }).click();
  const shown = page.locator("pre");
  await expect(shown).toContainText('"format": "qingyu-diagnostics-1"');
  await expect(shown).toContainText('"check": "database"');
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "存成文件" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe("qingyu-diagnostics.json");
  const text = await (await file.createReadStream()).toArray();
  expect(JSON.parse(Buffer.concat(text).toString())).toMatchObject({
    format: "qingyu-diagnostics-1",
    unread: {},
  });
});
