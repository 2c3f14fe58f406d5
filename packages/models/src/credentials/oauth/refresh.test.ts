import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openCredentials, openLocalStore } from "../credentials.ts";
import { type OAuthServer, startOAuthServer } from "../testing/oauth-server.ts";
import { refreshWith } from "./tokens.ts";

let server: OAuthServer;
let agentDir = "";
const env = { GANTRY_KEYCHAIN: "off" };
beforeEach(async () => {
  server = await startOAuthServer();
  agentDir = mkdtempSync(join(tmpdir(), "refresh-"));
  const store = openLocalStore(env, agentDir);
  const login = { type: "oauth", access: "old-access-token", refresh: "first-refresh-token", expires: 1 } as const;
  await store.put("anthropic", login, "me");
  store.close();
});
afterEach(async () => {
  await server.close();
  rmSync(agentDir, { recursive: true, force: true });
});

const open = () => openCredentials({ env, agentDir, refreshLogin: refreshWith([server.row()]) });
const disabledCause = () => {
  const store = openLocalStore(env, agentDir);
  const [row] = store.rows();
  store.close();
  return row?.disabledCause;
};

test("refreshes a login once when four processes need it at the same time", async () => {
  server.slow = 300;
  const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    import { openCredentials } from ${at("../credentials.ts")};
    import { refreshWith } from ${at("./tokens.ts")};
    const row = { provider: "anthropic", name: "Test", clientId: "client-1", scopes: [], tokenUrl: process.argv[2], body: "form" };
    const credentials = openCredentials({ env: { GANTRY_KEYCHAIN: "off" }, agentDir: process.argv[1], refreshLogin: refreshWith([row]) });
    process.stdin.once("data", async () => {
      console.log(JSON.stringify(await credentials.get("anthropic")));
      process.exit();
    });
    console.log("ready");`;
  const args = [
    "--disable-warning=ExperimentalWarning",
    "--input-type=module",
    "-e",
    program,
    agentDir,
    `${server.url}/token`,
  ];
  const children = [1, 2, 3, 4].map(() => spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] }));
  const outputs = children.map((child) => text(child.stdout));
  await Promise.all(children.map((child) => new Promise((resolve) => child.stdout.once("data", resolve))));
  for (const child of children) child.stdin.write("go\n");
  const tokens = (await Promise.all(outputs)).map((lines) => lines.trim().split("\n").at(-1));
  expect(new Set(tokens).size).toBe(1);
  expect(tokens[0]).toContain("access-");
  expect(server.asked.refreshed).toBe(1);
});

test("waits for the lease of a process that died during a refresh, and no longer", async () => {
  let now = Date.now();
  const dead = openLocalStore(env, agentDir, () => now - 60_000);
  expect(dead.lease("refresh 1", 35_000)).toBeDefined();
  dead.close();
  now += 0;
  const credentials = open();
  expect(await credentials.get("anthropic")).toMatchObject({ kind: "oauth" });
  credentials.close();
});

test("disables a login after invalid_grant with a hint to log in again, and keeps it after a server error", async () => {
  const credentials = open();
  server.refreshes = [{ status: 503, body: "try later" }];
  await expect(credentials.get("anthropic")).rejects.toThrow(/answered 503/);
  expect(disabledCause()).toBeUndefined();
  server.refreshes = [{ status: 400, body: { error: "invalid_grant", error_description: "no first-refresh-token" } }];
  const failed = await credentials.get("anthropic").catch((error: Error) => error.message);
  expect(failed).toContain("gantry auth login anthropic");
  expect(failed).not.toContain("first-refresh-token");
  expect(disabledCause()).toContain("invalid_grant");
  expect(disabledCause()).not.toContain("first-refresh-token");
  expect(await credentials.get("anthropic")).toBeUndefined();
  credentials.close();
});

test("uses the rotated refresh token for the next refresh", async () => {
  server.life = 1;
  const credentials = open();
  const first = await credentials.get("anthropic");
  const second = await credentials.get("anthropic");
  expect(second).not.toEqual(first);
  expect(server.asked.refreshed).toBe(2);
  credentials.close();
});

test("continues a refresh for other callers when one caller aborts", async () => {
  server.slow = 200;
  const credentials = open();
  const impatient = credentials.get("anthropic", { signal: AbortSignal.timeout(20) });
  const patient = credentials.get("anthropic");
  await expect(impatient).rejects.toThrow("aborted");
  expect(await patient).toMatchObject({ kind: "oauth" });
  expect(server.asked.refreshed).toBe(1);
  credentials.close();
});
