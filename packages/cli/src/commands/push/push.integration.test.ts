import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

vi.setConfig({ testTimeout: 120_000 });

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-push-cli-")));
const gantry = commandLine(home);

afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

/** Subscribes a browser over HTTP, as its page does. The host name exists nowhere, so nothing is sent. */
async function subscribe(name: string, endpoint: string): Promise<Response> {
  const { url } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8"));
  const token = readFileSync(join(home, "token"), "utf8").trim();
  const p256dh = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString("base64url");
  const body = JSON.stringify({ name, endpoint, keys: { p256dh, auth: Buffer.alloc(16).toString("base64url") } });
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return fetch(`${url}/v1/push/subscriptions`, { method: "POST", headers, body });
}

describe("gantry push", () => {
  it("is off until it is switched on, and stores the switch in config.yml", async () => {
    expect((await gantry(["push"])).stdout).toContain("Push notifications are off.");
    expect((await subscribe("Phone", "https://push.example.org/1")).status).toBe(409);
    expect((await gantry(["push", "on"])).stdout).toContain("Push notifications are on.");
    expect(readFileSync(join(home, "config.yml"), "utf8")).toContain("enabled: true");
  });

  it("lists subscribed browsers with the host that receives their messages, and revokes one by its name", async () => {
    expect((await subscribe("Phone", "https://push.example.invalid/1")).status).toBe(201);
    expect((await gantry(["push"])).stdout).toMatch(/Phone +push\.example\.invalid +never/);
    const tested = await gantry(["push", "test", "phone"]);
    expect(tested).toMatchObject({ status: 1, stdout: expect.stringContaining("Not sent to Phone") });
    expect((await gantry(["push", "revoke", "phone"])).stdout).toContain("Revoked: Phone");
    expect(JSON.parse((await gantry(["push", "--json"])).stdout)).toMatchObject({ enabled: true, subscriptions: [] });
  });

  it("refuses an endpoint in the private network", async () => {
    for (const endpoint of ["https://127.0.0.1:9/x", "http://push.example.org/x", "https://192.168.0.1/x"])
      expect((await subscribe("Phone", endpoint)).status, endpoint).toBe(422);
  });
});
