import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { provider } from "./provider";
import { lastingPort, serve } from "./server";
import { Api, appearing, expect, test } from "./studio";
import { template } from "./template";

const SECRET = "sk-a-key-of-the-first-hour";
const SCREENS = process.env.QINGYU_SCREENS;

test("a page that is open goes on when the server was started again", async ({ page }) => {
  const home = mkdtempSync(join(tmpdir(), "qingyu-restart-"));
  const variables = { QINGYU_HOME: home, QINGYU_MODEL: "offline-rules-1" };
  const port = await lastingPort(test.info().parallelIndex);
  const first = await serve(variables, port);
  try {
    await page.goto(first.url);
    await page.getByRole("button", { name: "归档" }).click();
    await expect(page.getByText("归档里没有作品。")).toBeVisible();
    await first.end();
    const second = await serve(variables, port);
    await page.getByRole("button", { name: "回收站" }).click();
    await expect(page.getByText("回收站是空的。")).toBeVisible();
    await second.end();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("a server that was restarted asks for no key, and typed text reaches it", async ({ page }) => {
  test.setTimeout(120_000);
  await appearing(page, "zh", "light");
  const { home: made, sample: project } = template();
  const home = mkdtempSync(join(tmpdir(), "qingyu-away-"));
  cpSync(made, home, { recursive: true });
  const variables = { QINGYU_HOME: home, QINGYU_MODEL: "offline-rules-1" };
  const port = await lastingPort(test.info().parallelIndex);
  const first = await serve(variables, port);
  const api = new Api(first.url);
  try {
    await page.goto(`${first.url}/p/${project}/write/d-1`);
    const prose = page.getByTestId("prose");
    await expect(prose.locator("p").last()).toBeVisible();
    await first.end();
    await expect(page.getByText("离线，正在重试。", { exact: false })).toBeVisible({ timeout: 20_000 });
    await prose.locator("p").last().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("门外有人。");
    await expect(page.getByText("保存在本机，等待连接")).toBeVisible({ timeout: 20_000 });
    const second = await serve(variables, port);
    try {
      await expect(page.getByText("离线，正在重试。", { exact: false })).toHaveCount(0, { timeout: 20_000 });
      await expect(page.getByText("已保存", { exact: true })).toBeVisible({ timeout: 40_000 });
      await expect(page.getByLabel("密钥")).toHaveCount(0);
      type Chapter = { text: string };
      expect((await api.get<Chapter>(`/projects/${project}/chapters/d-1/text`)).text).toContain("门外有人。");
    } finally {
      await second.end();
    }
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test("a new author goes from a key to the first chapter in at most twelve clicks", async ({ page }) => {
  test.setTimeout(180_000);
  const vendor = await provider(SECRET);
  const home = mkdtempSync(join(tmpdir(), "qingyu-first-hour-"));
  // All that tells this home from an empty one: where the provider is.
  writeFileSync(join(home, "config.toml"), `[providers.deepseek]\nbase_url = "${vendor.url}"\n`);
  const studio = await serve({ QINGYU_HOME: home });
  let clicks = 0;
  const click = async (what: Locator) => {
    await what.click();
    clicks += 1;
  };
  const shot = async (name: string) => {
    if (SCREENS === undefined) return;
    mkdirSync(SCREENS, { recursive: true });
    await page.screenshot({ path: join(SCREENS, `first-hour-${name}.png`) });
  };
  try {
    await page.goto(studio.url);
    await expect(page.getByText("从接上模型到写出第一章")).toBeVisible();
    await shot("1-guide");
    await click(page.getByRole("link", { name: "填入密钥" }));
    await page.getByRole("combobox", { name: "服务商" }).selectOption("deepseek");
    await page.locator("input[type=password]").fill(SECRET);
    await click(page.getByRole("button", { name: "保存并试用" }));
    await expect(page.getByText("可以使用。")).toBeVisible({ timeout: 20_000 });
    await shot("2-key");

    await click(page.getByRole("link", { name: "青羽" }));
    await click(page.getByRole("link", { name: "从一句话开始" }).first());
    await page
      .getByLabel("想写什么？")
      .first()
      .fill("创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术");
    await click(page.getByRole("button", { name: "先看三个方向" }));
    await expect(page.getByText("这本书往哪个方向写？").first()).toBeVisible({ timeout: 30_000 });
    await shot("3-directions");
    await click(page.getByLabel(/第七号集装箱/));
    await click(page.getByRole("button", { name: "就写这个" }));

    await expect(page.getByText("90").first()).toBeVisible({ timeout: 60_000 });
    await shot("4-material");
    await click(page.getByRole("link", { name: "青羽" }));
    await expect(page.getByRole("link", { name: "第七号集装箱", exact: true })).toBeVisible();
    await click(page.getByRole("button", { name: "写第一章" }));
    await expect(page.getByText("完成").first()).toBeVisible({ timeout: 60_000 });
    await shot("5-chapter");

    await page.goto(studio.url);
    await expect(page.getByRole("link", { name: "第七号集装箱", exact: true })).toBeVisible();
    await expect(page.getByText("从接上模型到写出第一章")).toHaveCount(0, { timeout: 30_000 });
    expect(clicks).toBeLessThanOrEqual(12);
  } finally {
    await studio.end();
    vendor.close();
    rmSync(home, { recursive: true, force: true });
  }
});
