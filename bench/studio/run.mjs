// Measures the studio in Chromium on a book of 500 chapters: how long from a key or a click until it is painted, and how long
// until pages are there. Prints a table and writes it into docs/benchmarks.md. Needs web/node_modules and target/release/qingyu
// (or QINGYU), built with the pages; `make bench-studio` sees to both.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "../../web/node_modules/@playwright/test/index.mjs";

const root = join(import.meta.dirname, "../..");
const binary = process.env.QINGYU ?? join(root, "target/release/qingyu");
const CHAPTERS = 500;
const GOAL_MILLIS = 100;
const PRESSES = 30;

/** A manuscript of so many chapters, 50 paragraphs each, always the same. */
function manuscript() {
  const words = "江水 灯塔 旧信 码头 雾 阿宁 李四 陆尺素 夜里 门 钥匙 屋顶 风 说 走 看见 记得 账册 水位 三年前".split(" ");
  let state = 1;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return words[state % words.length];
  };
  const paragraph = () => `${Array.from({ length: 28 }, (_, i) => next() + (i % 6 === 5 ? "，" : "")).join("")}。`;
  return Array.from({ length: CHAPTERS }, (_, i) =>
    [`第${i + 1}章 试写`, ...Array.from({ length: 50 }, paragraph)].join("\n\n"),
  ).join("\n\n");
}

async function started() {
  const home = mkdtempSync(join(tmpdir(), "qingyu-bench-"));
  const env = { ...process.env, QINGYU_HOME: home, QINGYU_MODEL: "offline-rules-1", QINGYU_LOG: "error" };
  const server = spawn(binary, ["serve", "--port", "0", "--json"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    server.once("exit", (status) => reject(new Error(`the server ended with ${status}`)));
    server.stdout.on("data", (chunk) => {
      said += chunk;
      const found = /"url": *"([^"]+)"/.exec(said)?.[1];
      if (found) resolve(found);
    });
  });
  const stop = async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  return { url, stop };
}

async function bring(url) {
  const bytes = Buffer.from(manuscript()).toString("base64");
  const body = JSON.stringify({ request: { name: "long.txt", bytes, title: "五百章" } });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/api/v1/manuscripts`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()).project.project;
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const most = (values) => Math.max(...values);

/** Milliseconds from each of the presses to the frame that shows it. */
async function presses(page, key) {
  const all = [];
  for (let i = 0; i < PRESSES; i++) {
    await page.evaluate(() => {
      window.painted = new Promise((resolve) => {
        addEventListener(
          "keydown",
          (event) => {
            const began = event.timeStamp;
            requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
          },
          { once: true, capture: true },
        );
      });
    });
    await page.keyboard.press(key);
    all.push(await page.evaluate(() => window.painted));
  }
  return all;
}

async function opened(page, address, seen) {
  const began = performance.now();
  await page.goto(address);
  await page.locator(seen).first().waitFor();
  return performance.now() - began;
}

const { url, stop } = await started();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
});
const rows = [];
try {
  const project = await bring(url);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, locale: "zh-CN" });
  const book = `${url}/p/${project}`;
  const keyed = (what, values) => {
    const verdict = most(values) <= GOAL_MILLIS ? "met" : "**missed**";
    rows.push([what, `≤ ${GOAL_MILLIS}`, middle(values).toFixed(0), most(values).toFixed(0), verdict]);
  };
  const timed = (what, value) => rows.push([what, "none", value.toFixed(0), "", "–"]);

  timed("the book's page, nothing in the browser's cache", await opened(page, book, "main h1"));
  timed("a chapter, with its text", await opened(page, `${book}/write/d-250`, "[data-testid=prose] p"));
  await page.locator("[data-testid=prose] p").nth(20).click();
  keyed("a letter in the middle of a chapter", await presses(page, "a"));
  await page.locator("[role=tree]").first().focus();
  keyed("an arrow key in the tree of chapters", await presses(page, "ArrowDown"));
  timed("the outline", await opened(page, `${book}/outline`, "main h1"));
  timed("the cast", await opened(page, `${book}/characters`, "main h1"));
  timed("the findings", await opened(page, `${book}/findings`, "main h1"));
  await page.keyboard.press("Control+k");
  await page.getByRole("dialog").getByRole("combobox").waitFor();
  keyed("a letter in the palette, over all chapters", await presses(page, "1"));
} finally {
  await browser.close();
  await stop();
}

const head = [["work", "goal, ms", "middle, ms", "most, ms", "verdict"], Array(5).fill("---")];
const table = [...head, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
const today = new Date().toISOString().slice(0, 10);
const build = binary.includes("/debug/") ? "debug" : "release";
const told = `Measured ${today} on ${cpus().length} × ${cpus()[0]?.model ?? "?"}, a ${build} build of the server.\n\n${table}`;
console.log(told);

const document = join(root, "docs/benchmarks.md");
const [before, rest] = readFileSync(document, "utf8").split("<!-- bench-studio: begin -->");
const after = rest?.split("<!-- bench-studio: end -->")[1];
if (after === undefined) throw new Error(`${document} has no place for the table`);
writeFileSync(document, `${before}<!-- bench-studio: begin -->\n${told}\n<!-- bench-studio: end -->${after}`);
