import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";

const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/template.ts",
  // Each journey has a server of its own, so that what it finds is its own and the next free worker takes the next journey. A
  // browser and a server keep a processor busy.
  fullyParallel: true,
  workers: Math.max(1, Math.min(2, availableParallelism())),
  // Once more on a machine that stood still; what passes only then is listed as flaky.
  retries: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: process.env.CI ? "list" : "line",
  outputDir: "test-results",
  use: {
    locale: "zh-CN",
    timezoneId: "Asia/Shanghai",
    viewport: { width: 1440, height: 900 },
    // Of the second try: to record every journey costs more than most of them do.
    trace: "on-first-retry",
    launchOptions: {
      ...(existsSync(chromium) ? { executablePath: chromium } : {}),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--font-render-hinting=none",
      ],
    },
  },
});
