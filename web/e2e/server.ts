import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const binary = process.env.QINGYU ?? join(import.meta.dirname, "../../target/debug/qingyu");

/** Starts a server with the offline model and a copy of a data folder; returns its address and what ends it. */
export async function serveOffline(template: string): Promise<{ url: string; end(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), "qingyu-e2e-"));
  cpSync(template, home, { recursive: true });
  const { url, end } = await serve({ QINGYU_HOME: home, QINGYU_MODEL: "offline-rules-1" });
  const endAndRemove = async () => {
    // Nobody looks at the folder afterwards.
    await end("SIGKILL");
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  };
  return { url, end: endAndRemove };
}

/** Ports below those that Linux gives to whoever asks for any: between two servers at one of them nobody else takes it. */
const FIRST_PORT = 20_000;
const PORTS_OF_A_WORKER = 100;

/** Returns a free port at which a server can be started again after it has ended. */
export async function lastingPort(worker: number): Promise<string> {
  const first = FIRST_PORT + worker * PORTS_OF_A_WORKER;
  for (let port = first; port < first + PORTS_OF_A_WORKER; port += 1) {
    if (await isFree(port)) return String(port);
  }
  throw new Error(`no port from ${first} on is free`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}

/** Starts a server under these variables; returns its address and what ends it. */
export async function serve(
  variables: Record<string, string>,
  port = "0",
): Promise<{ url: string; end(signal?: NodeJS.Signals): Promise<void> }> {
  const server = spawn(binary, ["serve", "--port", port, "--json"], {
    env: { QINGYU_LOG: "error", ...process.env, ...variables },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const url = await address(server);
  const end = async (signal: NodeJS.Signals = "SIGTERM") => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  };
  return { url, end };
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
