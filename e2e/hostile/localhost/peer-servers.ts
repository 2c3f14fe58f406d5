import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callJson, freePort, startServer } from "../../../bench/child.ts";
import { installOpenCode } from "../../../bench/peers/opencode.ts";
import { installSandboxAgent } from "../../../bench/peers/sandbox-agent.ts";
import type { LocalServer } from "./local-server.ts";

const SECRET = "canary-title-4f1d";

/** Starts the peers, each as its documentation starts it. A peer that cannot be installed is `missing`. */
export async function startPeers(): Promise<{ servers: LocalServer[]; missing: string[] }> {
  const servers: LocalServer[] = [];
  const missing: string[] = [];
  for (const [name, start] of Object.entries({ "sandbox-agent": startSandboxAgent, opencode: startOpenCode })) {
    try {
      servers.push(await start());
    } catch (error) {
      missing.push(`${name}: ${(error as Error).message.split("\n")[0]}`);
    }
  }
  return { servers, missing };
}

/** `sandbox-agent server --token …`: its API runs commands and reads files. */
async function startSandboxAgent(): Promise<LocalServer> {
  const { home, port, url } = await makePlace("sandbox-agent");
  const token = randomBytes(24).toString("hex");
  const command = [installSandboxAgent(), "server", "--token", token, "--no-telemetry", "--port", String(port)];
  const running = await startServer({ command, home, mark: randomUUID(), healthUrl: `${url}/` });
  writeFileSync(join(home, "secret.txt"), SECRET);
  const made = join(home, "made");
  mkdirSync(made);
  return {
    name: "sandbox-agent (token)",
    url,
    owner: { authorization: `Bearer ${token}` },
    reading: { method: "GET", path: `/v1/fs/file?path=${encodeURIComponent(join(home, "secret.txt"))}` },
    secret: SECRET,
    changing: {
      method: "POST",
      path: "/v1/processes/run",
      body: { command: "/bin/sh", args: ["-c", `mktemp ${made}/XXXXXXXX`] },
    },
    countChanges: async () => readdirSync(made).length,
    pid: running.pid,
    stop: () => stopAndRemove(running, home),
  };
}

/** `opencode serve` as it starts without further configuration: no password. */
async function startOpenCode(): Promise<LocalServer> {
  const { home, port, url } = await makePlace("opencode");
  const command = [installOpenCode(), "serve", "--port", String(port), "--hostname", "127.0.0.1"];
  const env = { OPENCODE_DISABLE_MODELS_FETCH: "1", OPENCODE_DISABLE_AUTOUPDATE: "1" };
  const running = await startServer({ command, home, mark: randomUUID(), env, healthUrl: `${url}/doc` });
  const folder = join(home, "work");
  if (!existsSync(folder)) mkdirSync(folder);
  const query = `directory=${encodeURIComponent(folder)}`;
  await callJson("POST", `${url}/session?${query}`, { title: SECRET });
  return {
    name: "opencode (no password)",
    url,
    owner: {},
    reading: { method: "GET", path: `/session?${query}` },
    secret: SECRET,
    changing: { method: "POST", path: `/session?${query}`, body: { title: "made by an attack" } },
    countChanges: async () => (await callJson<unknown[]>("GET", `${url}/session?${query}`)).length,
    pid: running.pid,
    stop: () => stopAndRemove(running, home),
  };
}

async function makePlace(name: string) {
  const home = mkdtempSync(join(realpathSync(tmpdir()), `gantry-hostile-${name}-`));
  const port = await freePort();
  return { home, port, url: `http://127.0.0.1:${port}` };
}

async function stopAndRemove(running: { stop(): Promise<void> }, home: string): Promise<void> {
  await running.stop();
  rmSync(home, { recursive: true, force: true });
}
