import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { startServer, type TestServer, TOKEN } from "../../../runtime/src/server/testing/server.harness.ts";
import { connect } from "./connect.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-connect-"));
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.server.close();
  rmSync(home, { recursive: true });
});
afterEach(() => vi.unstubAllEnvs());

function writeFiles(): void {
  writeFileSync(join(home, "daemon.json"), JSON.stringify({ pid: 1, url: server.url, version: "0.0.0" }));
  writeFileSync(join(home, "token"), `${TOKEN}\n`);
}

it("uses the given address and token, whatever the environment names", async () => {
  vi.stubEnv("GANTRY_HOME", "/nowhere");
  expect(await connect({ url: server.url, token: TOKEN }).inbox()).toEqual([]);
  await expect(connect({ url: server.url, token: "wrong" }).inbox()).rejects.toMatchObject({ code: "unauthorized" });
});

it("finds the local daemon by its files, also when they appear after the call", async () => {
  vi.stubEnv("GANTRY_HOME", home);
  const client = connect();
  await expect(client.inbox()).rejects.toMatchObject({
    code: "unavailable",
    message: `No daemon runs for ${home}.`,
  });
  writeFiles();
  expect(await client.inbox()).toEqual([]);
  vi.stubEnv("GANTRY_HOME", "/nowhere");
  expect(await connect({ home }).inbox()).toEqual([]);
});

it("prefers the daemon and the token of the session in which the program runs", async () => {
  vi.stubEnv("GANTRY_HOME", "/nowhere");
  vi.stubEnv("GANTRY_URL", server.url);
  vi.stubEnv("GANTRY_TOKEN", TOKEN);
  expect(await connect().inbox()).toEqual([]);
});

it("asks for an address where Node's modules are missing, as in a browser", async () => {
  vi.stubGlobal("process", { env: {} });
  const failure = await connect()
    .inbox()
    .catch((error: unknown) => error);
  vi.unstubAllGlobals();
  expect(failure).toMatchObject({ code: "unavailable", remedy: "Pass url and token." });
});
