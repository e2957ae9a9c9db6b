import { appearing, expect, test } from "./studio";

const REQUIREMENT = "一个灯塔看守人收到自己三十年前寄出的信";

type Row = { run: string; project: string; status: string };

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("a book is begun with a sentence, watched, and left to look at", async ({ page, api }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "从一句话开始" }).first().click();
  await page.getByLabel("想写什么？").first().fill(REQUIREMENT);
  await page.getByRole("button", { name: "直接规划" }).first().click();
  await expect(page).toHaveURL(/\/runs\//);
  const run = page.url().split("/").at(-1) ?? "";
  await expect
    .poll(async () => (await api.get<Row>(`/runs/${run}`)).status, { timeout: 60_000 })
    .toMatch(/done|waiting/);
  await expect(
    page
      .getByRole("main")
      .getByText(/完成|等你决定/)
      .first(),
  ).toBeVisible();
  await page.reload();
  await expect(
    page
      .getByRole("main")
      .getByText(/完成|等你决定/)
      .first(),
  ).toBeVisible();
});

test("a book is begun with its genre, audience and number of chapters", async ({ page, api }) => {
  await page.goto("/begin");
  const main = page.getByRole("main");
  await main.getByLabel("想写什么？").first().fill("写一个赛博朋克故事，写十章，主角是黑客");
  await main.getByText("类型、读者与章数").click();
  await main.getByLabel("类型", { exact: true }).fill("武侠");
  await main.getByLabel("目标读者").fill("中学生");
  await main.getByLabel("章数", { exact: true }).fill("6");
  await main.getByRole("button", { name: "直接规划" }).first().click();
  await expect(page).toHaveURL(/\/runs\/r-/);
  const run = page.url().split("/runs/")[1] ?? "";
  const { project } = await api.get<Row>(`/runs/${run}/summary`);
  const { premise } = await api.get<{ premise: string }>(`/projects/${project}/story`);
  expect(premise).toContain("类型：武侠；目标读者：中学生；章数：6");
});

test("a reload in the middle of a run loses nothing of what it told", async ({ page, api }) => {
  const { run, project } = await api.post<Row>("/runs", {
    start: { kind: "create", requirement: REQUIREMENT },
  });
  await page.goto(`/p/${project}/runs/${run}`);
  await page.reload();
  await expect
    .poll(async () => (await api.get<Row>(`/runs/${run}`)).status, { timeout: 60_000 })
    .toMatch(/done|waiting/);
  const log = await api.get<{ kind: string; agent?: string }[]>(`/runs/${run}/log`);
  expect(log.some((event) => event.kind === "planned")).toBe(true);
  await expect(page.getByRole("main").getByText("计划").first()).toBeVisible();
  await expect(
    page
      .getByRole("main")
      .getByText(/完成|等你决定/)
      .first(),
  ).toBeVisible();
});

test("a run that waits is decided on its card", async ({ page, api }) => {
  const overrides = { pipeline: { max_iterations: 0, thresholds: { complete: 100 } } };
  const requirement = "一个守林人发现森林在夜里移动";
  const { run, project } = await api.post<Row>("/runs", {
    start: { kind: "create", requirement, overrides },
  });
  const status = async () => (await api.get<Row>(`/runs/${run}`)).status;
  await expect.poll(status, { timeout: 60_000 }).toBe("waiting");
  await page.goto("/inbox");
  await page
    .getByRole("main")
    .getByRole("link", { name: new RegExp(requirement) })
    .first()
    .click();
  await expect(page).toHaveURL(`/p/${project}/runs/${run}`);
  await page.getByRole("button", { name: /^照此通过/ }).click();
  await expect.poll(status).toBe("done");
  await expect(page.getByRole("main").getByText("完成").first()).toBeVisible();
});

test("a run that waits for a named approver is answered by nobody else", async ({ page, api }) => {
  const overrides = { pipeline: { max_iterations: 0, thresholds: { complete: 100 } } };
  const { run, project } = await api.post<Row>("/runs", {
    start: { kind: "create", requirement: "一个钟表匠修好了不走的时间", overrides },
  });
  const row = async () => api.get<Row & { approver?: string }>(`/runs/${run}/summary`);
  await expect.poll(async () => (await row()).status, { timeout: 60_000 }).toBe("waiting");
  await api.post(`/projects/${project}/members`, { request: { name: "林梅", role: "approve" } });
  await page.goto(`/p/${project}/runs/${run}`);
  const card = page.getByRole("main").getByRole("region", { name: "这份材料可以定下来吗？" });
  await expect(card.getByLabel("谁来答复")).toContainText("作品的主人");
  await card.getByLabel("谁来答复").selectOption("林梅");
  await expect(card.getByText("只能由林梅答复。")).toBeVisible();
  await card.getByRole("button", { name: /^照此通过/ }).click();
  await expect(card.getByRole("alert")).toContainText("要由别人答复");
  expect(await row()).toMatchObject({ status: "waiting", approver: "林梅" });
  await card.getByLabel("谁来答复").selectOption("");
  await expect.poll(async () => (await row()).approver).toBeUndefined();
  await card.getByRole("button", { name: /^照此通过/ }).click();
  await expect.poll(async () => (await row()).status).toBe("done");
});

test("a run that waits is given material that its author has mended in a form", async ({ page, api }) => {
  const overrides = { pipeline: { max_iterations: 0, thresholds: { complete: 100 } } };
  const { run, project } = await api.post<Row>("/runs", {
    start: { kind: "create", requirement: "一个邮差只送寄给过去的信", overrides },
  });
  const status = async () => (await api.get<Row>(`/runs/${run}`)).status;
  await expect.poll(status, { timeout: 60_000 }).toBe("waiting");
  await page.goto(`/p/${project}/runs/${run}`);
  // Until the page of the run is there, the column of the agents asks in its place.
  const card = page.getByRole("main").getByRole("region", { name: "这份材料可以定下来吗？" });
  await card.getByRole("button", { name: /^自己改材料/ }).click();
  const send = card.getByRole("button", { name: "采用我的修改" });
  await expect(send).toBeDisabled();
  await card.getByLabel("改哪一部分").selectOption("characters");
  await card.getByLabel("职业").fill("旧信分拣员");
  await card.getByLabel("职业").press("Enter");
  expect(await status()).toBe("waiting");
  await card.getByRole("button", { name: "添加", exact: true }).click();
  await card.getByLabel("名称").fill("阿衡");
  await card.getByLabel("身份").selectOption("supporting");
  await send.click();
  await expect.poll(status, { timeout: 60_000 }).toMatch(/done|waiting/);
  type Story = { characters: { name: string; occupation: string }[] };
  const people = async () => (await api.get<Story>(`/projects/${project}/story`)).characters;
  await expect.poll(async () => (await people()).map(({ name }) => name)).toContain("阿衡");
  expect((await people())[0]?.occupation).toBe("旧信分拣员");
});

test("each place that an agent would change is taken or refused by itself", async ({ page, api }) => {
  const { run, project } = await api.post<Row>("/runs", {
    start: { kind: "create", requirement: "一封信在三十年后寄到" },
  });
  await expect
    .poll(async () => (await api.get<Row>(`/runs/${run}`)).status, { timeout: 60_000 })
    .toMatch(/done|waiting/);
  // Without a language model nobody proposes anything: what a run would tell is told in its place.
  const span = (before: string, after: string) => ({ start: 0, end: 9, before, after, why: "" });
  const spans = [
    span("雨停了。", "雪停了。"),
    span("她笑了。", "她没有笑。"),
    span("灯灭了。", "灯还亮着。"),
  ];
  const proposal = { document: "d-1", title: "第一章", base: "", text: "", spans };
  const question = { asks: "writes", writes: [{ task: "t1", agent: "creative", proposal }] };
  const event = { seq: 1, at: new Date().toISOString(), run, project, kind: "waiting", question };
  await page.route(`**/runs/${run}/events*`, (route) =>
    route.fulfill({
      headers: { "Content-Type": "text/event-stream" },
      body: `id: 1\nevent: waiting\ndata: ${JSON.stringify(event)}\n\nevent: end\ndata: {}\n\n`,
    }),
  );
  let answer: unknown;
  await page.route("**/api/v1/runs", (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    answer = route.request().postDataJSON().start.answer;
    return route.fulfill({ json: { run, project } });
  });
  await page.goto(`/p/${project}/runs/${run}`);
  const card = page.getByRole("region", { name: "要改动这些文字吗？" });
  await expect(card.getByRole("button", { name: "全部接受" })).toBeVisible();
  await card.getByRole("checkbox", { name: /^接受第 2 处/ }).uncheck();
  await card.getByRole("button", { name: "接受 2 / 3 处" }).click();
  expect(answer).toEqual({ answer: "decide", answers: { t1: "accept", "t1/2": "reject" } });
});

test("a version that a run saved is forked into a branch of its own", async ({ page, api, sample }) => {
  const runs = await api.get<Row[]>("/runs");
  const run = runs.findLast((row) => row.project === sample);
  await page.goto(`/p/${sample}/runs/${run?.run}`);
  await page
    .getByRole("button", { name: /从这里分叉/ })
    .first()
    .click();
  const name = page.getByRole("textbox", { name: /分支/ });
  await name.fill("另一种走向");
  await page.keyboard.press("Enter");
  await expect
    .poll(async () =>
      (await api.get<{ name: string }[]>(`/projects/${sample}/branches`)).map((row) => row.name),
    )
    .toContain("另一种走向");
});

test("a step of a run is looked at with what it asked, and edited into a new run", async ({ page, api }) => {
  const start = { kind: "create", requirement: REQUIREMENT };
  const { run, project } = await api.post<Row>("/runs", { start });
  await expect
    .poll(async () => (await api.get<Row>(`/runs/${run}/summary`)).status, { timeout: 60_000 })
    .not.toBe("running");
  await page.goto(`/p/${project}/runs/${run}`);
  await page.getByRole("button", { name: "显示各步" }).click();
  const title = page.locator("strong").filter({ hasText: "大纲" });
  const step = page.getByRole("article").filter({ has: title }).last();
  await step.getByRole("button", { name: "提示词" }).click();
  await expect(step.getByText("outline.generate").first()).toBeVisible();
  await step.getByRole("button", { name: "改动", exact: true }).click();
  await step.getByRole("combobox", { name: "字段" }).selectOption("character_summary");
  await step.getByRole("textbox", { name: "内容" }).fill("没有人");
  await step.getByRole("button", { name: "保存改动" }).click();
  await expect(page).not.toHaveURL(new RegExp(run));
  const forked = page.url().split("/runs/")[1] ?? "";
  const [newest] = await api.get<{ checkpoint: number }[]>(`/runs/${forked}/checkpoints`);
  const state = await api.get<{ values: Record<string, unknown> }>(
    `/runs/${forked}/checkpoints/${newest?.checkpoint}`,
  );
  expect(state.values.character_summary).toBe("没有人");
});

test("a run stops at the step that its author has chosen", async ({ page, api }) => {
  const start = { kind: "create", requirement: REQUIREMENT };
  const { run, project } = await api.post<Row>("/runs", { start });
  const statusOf = async (one: string) => (await api.get<Row>(`/runs/${one}/summary`)).status;
  await expect.poll(() => statusOf(run), { timeout: 60_000 }).toBe("done");
  const steps = await api.get<{ checkpoint: number }[]>(`/runs/${run}/checkpoints`);
  const fork = await api.post<Row>(`/runs/${run}/checkpoints/${steps.at(-1)?.checkpoint}/fork`, {
    afresh: false,
  });
  await page.goto(`/p/${project}/runs/${fork.run}`);
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "选择步骤" }).click();
  await main.getByRole("checkbox", { name: "在此之前停下：审核" }).check();
  await main.getByRole("button", { name: "继续", exact: true }).click();
  await expect.poll(() => statusOf(fork.run), { timeout: 60_000 }).toBe("waiting");
  const card = main.getByRole("region", { name: "停在你选的步骤" });
  await expect(card.getByText("在此之前：审核")).toBeVisible();
  // A review that asks for corrections is followed by another one, before which the run stops again.
  await expect(async () => {
    if ((await statusOf(fork.run)) === "waiting") {
      await card.getByRole("button", { name: "继续", exact: true }).click({ timeout: 1_000 });
    }
    expect(await statusOf(fork.run)).toBe("done");
  }).toPass({ timeout: 60_000 });
});

test("a run stops at the step that was chosen before its start", async ({ page, api }) => {
  await page.goto("/begin");
  const main = page.getByRole("main");
  await main.getByLabel("想写什么？").first().fill(REQUIREMENT);
  await main.getByText("中途停下").first().click();
  await main.getByRole("checkbox", { name: "在此之前停下：审核" }).check();
  await main.getByRole("button", { name: "直接规划" }).first().click();
  await expect(page).toHaveURL(/\/runs\/r-/);
  const run = page.url().split("/runs/")[1] ?? "";
  await expect
    .poll(async () => (await api.get<Row>(`/runs/${run}/summary`)).status, { timeout: 60_000 })
    .toBe("waiting");
  const card = main.getByRole("region", { name: "停在你选的步骤" });
  await expect(card.getByText("在此之前：审核")).toBeVisible();
});

test("a course is produced and taken away as a file", async ({ page, api }) => {
  const premise = "为独立开发者写一门关于定价的短课程";
  const start = { kind: "produce", premise, autonomy: [["all", "auto"]] };
  const { run, project } = await api.post<Row>("/runs", { start });
  await page.goto(`/p/${project}/content`);
  await expect
    .poll(async () => (await api.get<Row>(`/runs/${run}`)).status, { timeout: 90_000 })
    .toMatch(/done|waiting/);
  await page.goto(`/p/${project}/content`);
  await expect(page.getByRole("main").getByText("已确认").or(page.getByText("草稿")).first()).toBeVisible();
  await page.goto(`/p/${project}/export`);
  const download = page.waitForEvent("download");
  await page.getByRole("main").getByRole("button", { name: /下载/ }).first().click();
  expect((await download).suggestedFilename()).toMatch(/\.(md|docx|json|txt)$/);
});

test("a production gets a schedule, and loses it", async ({ page, api }) => {
  const start = {
    kind: "produce",
    premise: "为独立开发者写一门关于定价的短课程",
    autonomy: [["all", "auto"]],
  };
  const { run, project } = await api.post<Row>("/runs", { start });
  await expect
    .poll(async () => (await api.get<Row>(`/runs/${run}`)).status, { timeout: 90_000 })
    .toMatch(/done|waiting/);
  await page.goto(`/p/${project}/content`);
  const main = page.getByRole("main");
  await main.getByLabel("多久一次").selectOption("1w");
  await main.getByLabel("每次做什么").selectOption("say");
  await main.getByLabel("对它说的话").fill("写这一周的");
  await main.getByRole("button", { name: "保存", exact: true }).click();
  await expect(main.getByText(/下次：/)).toBeVisible();
  const schedule = () => api.get<{ every: string | null; order: unknown }>(`/projects/${project}/schedule`);
  expect(await schedule()).toMatchObject({ every: "1w", order: { do: "say", text: "写这一周的" } });
  await expect(main.getByText("已保存。")).toBeVisible();
  await main.getByLabel("多久一次").selectOption("");
  await expect(main.getByText("已保存。"), "of what is not saved yet").toBeHidden();
  await main.getByRole("button", { name: "保存", exact: true }).click();
  await expect(main.getByText(/下次：/)).toBeHidden();
  expect((await schedule()).every).toBe(null);
});

test("a structured field is edited in a form, with rows to add and move", async ({ page, api }) => {
  const premise = "为独立开发者写一门关于定价的短课程";
  const start = { kind: "produce", premise, autonomy: [["all", "auto"]] };
  const { run, project } = await api.post<Row>("/runs", { start });
  await expect
    .poll(async () => (await api.get<Row>(`/runs/${run}`)).status, { timeout: 90_000 })
    .toMatch(/done|waiting/);
  await page.goto(`/p/${project}/content/design_inner/outline`);
  await page.getByRole("main").getByRole("button", { name: "编辑" }).click();
  const form = page.getByRole("main").locator("form");
  await expect(form.locator("textarea").first()).toBeVisible();
  await expect(form).not.toContainText(/[{}[\]]/);
  await form.getByLabel("标题").first().fill("定价的七堂课");
  await form.getByRole("button", { name: /^下移：课\S*第 1 项/ }).click();
  await form
    .getByRole("button", { name: /^添加：要点/ })
    .first()
    .click();
  await page.keyboard.type("先问一位老顾客");
  await form.getByRole("button", { name: "保存" }).click();
  await expect(form).toHaveCount(0);
  type Field = { value: { title: string; lessons: { points: string[] }[] } };
  const { value } = await api.get<Field>(`/projects/${project}/field?path=design_inner/outline`);
  expect(value.title).toBe("定价的七堂课");
  expect(value.lessons[0]?.points.at(-1)).toBe("先问一位老顾客");
});

test("the browser tells that a run waits while the page is not looked at", async ({ page }) => {
  await page.addInitScript(() => {
    class Recorded {
      static permission = "granted";
      static requestPermission = async () => "granted";
      onclick = () => undefined;
      constructor(title: string) {
        document.documentElement.dataset.told = title;
      }
      close() {}
    }
    Object.assign(window, { Notification: Recorded });
    Object.defineProperty(document, "hidden", { get: () => sessionStorage.getItem("away") === "yes" });
  });
  const row = { run: "r-1", project: "p-1", title: "灯塔来信", requirement: REQUIREMENT, status: "running" };
  const rest = { model: "", started: new Date().toISOString(), usage: {} };
  let status = "running";
  await page.route("**/api/v1/runs?open=true*", (route) =>
    route.fulfill({ json: [{ ...row, ...rest, status }] }),
  );
  await page.goto("/settings");
  const notices = page.getByRole("switch", { name: "提醒我" });
  await notices.click();
  await expect(notices).toHaveAttribute("aria-checked", "true");
  await expect(page.getByText("运行中 1")).toBeVisible();
  await page.evaluate(() => sessionStorage.setItem("away", "yes"));
  status = "waiting";
  await expect(page.locator("html")).toHaveAttribute("data-told", "《灯塔来信》在等你决定", {
    timeout: 20_000,
  });
});
