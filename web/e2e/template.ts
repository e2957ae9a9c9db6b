import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Api } from "./api";
import { serve } from "./server";

/** Where the workers find what was made for all of them. */
const VARIABLE = "QINGYU_E2E_TEMPLATE";

/** A data folder with the sample book in Chinese, which is `sample`. */
type Template = { home: string; sample: string };

/** Makes the sample book once for all journeys; returns what removes it. Playwright calls it before the first worker. */
export default async function makeTemplate(): Promise<() => void> {
  const home = mkdtempSync(join(tmpdir(), "qingyu-e2e-template-"));
  const remove = () => rmSync(home, { recursive: true, force: true });
  try {
    const { url, end } = await serve({ QINGYU_HOME: home, QINGYU_MODEL: "offline-rules-1" });
    try {
      const { project } = await new Api(url).post<{ project: string }>("/samples", { language: "zh" });
      process.env[VARIABLE] = JSON.stringify({ home, sample: project } satisfies Template);
    } finally {
      // A database is copied only when no server has it open.
      await end();
    }
  } catch (error) {
    remove();
    throw error;
  }
  return remove;
}

/** What `makeTemplate` has made. */
export function template(): Template {
  const made = process.env[VARIABLE];
  if (!made) throw new Error(`${VARIABLE} is not set: run the journeys with playwright.config.ts`);
  return JSON.parse(made) as Template;
}
