import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const binary = process.env.QINGYU ?? join(import.meta.dirname, "../../target/debug/qingyu");

/** Starts a server with the offline model and a data folder of its own; gives what ends it. */
export default async function begin(): Promise<() => Promise<void>> {
  const home = mkdtempSync(join(tmpdir(), "qingyu-e2e-"));
  const server = spawn(binary, ["serve", "--port", "0", "--json"], {
    env: { QINGYU_LOG: "error", ...process.env, QINGYU_HOME: home, QINGYU_MODEL: "offline-rules-1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.env.QINGYU_URL = await address(server);
  return async () => {
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill("SIGTERM");
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
}

/** The address that the server says it listens at. */
function address(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    server.once("error", reject);
    server.once("exit", (status) => reject(new Error(`the server ended with ${status}: ${said}`)));
    server.stdout?.on("data", (chunk) => {
      said += chunk;
      const url = /"url": *"([^"]+)"/.exec(said)?.[1];
      if (url) resolve(url);
    });
  });
}
