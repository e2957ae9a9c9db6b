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
  const { url, end } = await serve({ QINGYU_HOME: home, QINGYU_MODEL: "offline-rules-1" });
  const { project } = await new Api(url).post<{ project: string }>("/samples", { language: "zh" });
  await end();
  process.env[VARIABLE] = JSON.stringify({ home, sample: project } satisfies Template);
  return () => rmSync(home, { recursive: true, force: true });
}

/** What `makeTemplate` has made. */
export function template(): Template {
  return JSON.parse(process.env[VARIABLE] ?? "{}") as Template;
}
