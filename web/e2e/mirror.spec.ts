import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { appearing, expect, test } from "./studio";

test.beforeEach(async ({ page }) => appearing(page, "zh", "light"));

test("a card edited in the mirror is read back, and the mirror is switched off", async ({
  page,
  api,
  sample,
}) => {
  const root = mkdtempSync(join(tmpdir(), "qingyu-mirror-"));
  await api.put("/settings", { key: "mirror.folder", value: root });
  try {
    await page.goto(`/p/${sample}/settings#mirror`);
    await page.getByRole("button", { name: "更新文件" }).click();
    await expect(page.getByRole("status").filter({ hasText: "完成了" })).toBeVisible();
    const { folder } = await api.get<{ folder: string }>(`/projects/${sample}/mirror`);
    const people = join(folder, "人物");
    const card = join(people, readdirSync(people)[0] ?? "");
    const written = readFileSync(card, "utf8");
    writeFileSync(card, `${written}\n**灵根**：火\n`);
    await page.reload();
    await expect(page.getByText("在文件夹里改过，还没有读回")).toBeVisible();
    await page.getByRole("button", { name: "读回改动" }).click();
    await expect(page.getByText(/已读回：灵根/)).toBeVisible();
    await expect(page.getByText("在文件夹里改过，还没有读回")).toBeHidden();

    await page.getByRole("switch", { name: "每次保存后更新文件" }).click();
    await expect(page.getByRole("switch", { name: "每次保存后更新文件" })).not.toBeChecked();
  } finally {
    const unset = "/settings?key=mirror.folder";
    await fetch(`${api.url}/api/v1${unset}`, { method: "DELETE" });
    rmSync(root, { recursive: true, force: true });
  }
});

test("commits that may not be switched on from here say where they may", async ({ page, api, sample }) => {
  const root = mkdtempSync(join(tmpdir(), "qingyu-mirror-"));
  await api.put("/settings", { key: "mirror.folder", value: root });
  try {
    // As a caller with a key is answered.
    await page.route(`**/api/v1/projects/${sample}/mirror`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), may_commit: false } });
    });
    await page.goto(`/p/${sample}/settings#mirror`);
    const commits = page.getByRole("switch", { name: "每次更新都提交到 git" });
    await expect(commits).toBeDisabled();
    await expect(commits).toHaveAccessibleDescription(/只能在那台电脑上/);
    await expect(page.getByRole("switch", { name: "每次保存后更新文件" })).toBeEnabled();
  } finally {
    const unset = "/settings?key=mirror.folder";
    await fetch(`${api.url}/api/v1${unset}`, { method: "DELETE" });
    rmSync(root, { recursive: true, force: true });
  }
});

test("a book without a folder for mirrors says how to get one", async ({ page, sample }) => {
  await page.goto(`/p/${sample}/settings#mirror`);
  await expect(page.getByText("没有镜像文件夹")).toBeVisible();
});

test("a backup is made and listed with the way to restore it", async ({ page }) => {
  await page.goto("/settings#backups");
  await expect(page.getByText("没有定时备份", { exact: false })).toBeVisible();
  await page.getByRole("button", { name: "立即备份" }).click();
  await expect(
    page.getByRole("row").filter({ hasText: /manual-[0-9a-f]{6}-\d{8}T\d{6}Z\.db/ }),
  ).toBeVisible();
  await expect(page.getByText("qingyu backup restore", { exact: false })).toBeVisible();
});
