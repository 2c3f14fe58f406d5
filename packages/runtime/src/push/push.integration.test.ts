import { statSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@gantry/client";
import type { PushMessage } from "@gantry/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";
import { BrowserSide, readVapid, startPushService } from "./testing/push-service.ts";

const daemon = new TestDaemon();
const browser = new BrowserSide();
let service: Awaited<ReturnType<typeof startPushService>>;

beforeAll(async () => {
  service = await startPushService();
  daemon.pushRequest = service.request;
  await daemon.start();
});
afterAll(async () => {
  await daemon.dispose();
  await service.close();
});

const subscribe = (name = "Phone") =>
  daemon.client.push.subscribe({ name, endpoint: service.endpoint, keys: browser.keys });

/** Starts a session that asks, and returns its request with the notification that the browser gets. */
async function ask(): Promise<{ session: string; input: string; message: PushMessage }> {
  const before = service.received.length;
  const { id } = await daemon.session("scripted", "[[write]]");
  const { inputs } = await daemon.waitUntil(id, ({ state }) => state === "waiting");
  await expect.poll(() => service.received.length, { timeout: 20_000 }).toBeGreaterThan(before);
  const message = browser.decrypt(service.received.at(-1)!.body);
  return { session: id, input: inputs[0]!.id, message };
}

/** The answer of a notification's button, as the service worker sends it: without a credential. */
async function answer(ticket: string, decision: "allow" | "deny") {
  const bare = createClient({ url: daemon.daemon.url, token: "" });
  return bare.push.answer(ticket, decision);
}

describe("push notifications", () => {
  it("are off by default: no keys, no subscription, no request", async () => {
    expect(await daemon.client.push.get()).toEqual({
      enabled: false,
      contact: "mailto:gantry@example.com",
      subscriptions: [],
    });
    await expect(subscribe()).rejects.toMatchObject({ code: "push_off" });
    expect(statSync(join(daemon.home, "gantry/push-keys.json"), { throwIfNoEntry: false })).toBeUndefined();
    const { id } = await daemon.session("scripted", "[[write]]");
    await daemon.waitUntil(id, ({ state }) => state === "waiting");
    expect(service.received).toEqual([]);
  });

  it("create keys that only the owner can read, and list the subscribed browsers without their keys", async () => {
    const { publicKey = "" } = await daemon.client.push.switch(true);
    expect(Buffer.from(publicKey, "base64url").length).toBe(65);
    expect(statSync(join(daemon.home, "gantry/push-keys.json")).mode & 0o777).toBe(0o600);
    await subscribe("First name");
    const row = await subscribe();
    const { subscriptions } = await daemon.client.push.get();
    expect(subscriptions).toEqual([row]);
    expect(row).toMatchObject({ name: "Phone", host: expect.stringContaining("push.example.org") });
    expect(JSON.stringify(subscriptions)).not.toContain(browser.keys.auth);
  });

  it("send an encrypted request that the button answers once, without a credential", async () => {
    const { session, message, input } = await ask();
    const { headers, path } = service.received.at(-1)!;
    expect(path).toBe("/send/abc");
    expect(headers).toMatchObject({ "content-encoding": "aes128gcm", urgency: "high", ttl: "43200" });
    expect(headers.topic).toMatch(/^[\w-]{32}$/);
    const { claims, key } = readVapid(headers.authorization);
    expect(claims).toMatchObject({ aud: new URL(service.endpoint).origin, sub: "mailto:gantry@example.com" });
    expect(claims.exp * 1000 - Date.now()).toBeLessThan(24 * 3600 * 1000);
    expect(key).toBe((await daemon.client.push.get()).publicKey);
    expect(message).toMatchObject({ tag: input, path: `/s/${session}`, actions: ["allow", "deny"] });
    expect(JSON.stringify(message)).not.toContain(daemon.daemon.token);
    expect(await answer(message.ticket ?? "", "allow")).toMatchObject({ id: input, session, decision: "allow" });
    await daemon.waitForIdle(session);
    await expect(answer(message.ticket ?? "", "deny")).rejects.toMatchObject({ code: "bad_ticket" });
  });

  it("deny with their button, and a ticket answers no other request", async () => {
    const [first, second] = [await ask(), await ask()];
    expect(await answer(first.message.ticket ?? "", "deny")).toMatchObject({ id: first.input, decision: "deny" });
    expect((await daemon.client.sessions.get(second.session)).inputs.length).toBe(1);
    await daemon.client.answer(second.input, { decision: "deny" });
    await expect(answer(second.message.ticket ?? "", "allow")).rejects.toMatchObject({ code: "already_answered" });
  });

  it("answer after a restart of the daemon, and not after the subscription is revoked", async () => {
    const { message, session } = await ask();
    await daemon.stop("keep");
    await daemon.start();
    expect(await answer(message.ticket ?? "", "allow")).toMatchObject({ decision: "allow" });
    await daemon.waitForIdle(session);
    const next = await ask();
    const [row] = (await daemon.client.push.get()).subscriptions;
    await daemon.client.push.revoke(row?.id ?? "");
    await expect(answer(next.message.ticket ?? "", "allow")).rejects.toMatchObject({ code: "bad_ticket" });
    await expect(daemon.client.push.revoke(row?.id ?? "")).rejects.toMatchObject({ code: "no_such_subscription" });
  });

  it("report failed turns, and a test message", async () => {
    const { id } = await subscribe();
    expect(await daemon.client.push.test(id)).toMatchObject({ sentAt: expect.any(String) });
    expect(browser.decrypt(service.received.at(-1)!.body)).toMatchObject({ tag: "test" });
    const before = service.received.length;
    const failed = await daemon.session("scripted", "[[error:auth]]");
    await expect.poll(() => service.received.length, { timeout: 20_000 }).toBeGreaterThan(before);
    const message = browser.decrypt(service.received.at(-1)!.body);
    expect(message).toMatchObject({ path: `/s/${failed.id}`, body: expect.stringContaining("Failed: "), actions: [] });
    expect(message.ticket).toBeUndefined();
  });

  it("show why a message was refused, and forget a browser that is gone", async () => {
    const [row] = (await daemon.client.push.get()).subscriptions;
    service.state.status = 403;
    expect((await daemon.client.push.test(row?.id ?? "")).failure).toBe("The push service answered with status 403.");
    service.state.status = 410;
    await expect(daemon.client.push.test(row?.id ?? "")).rejects.toMatchObject({ code: "no_such_subscription" });
    service.state.status = 201;
    expect((await daemon.client.push.get()).subscriptions).toEqual([]);
  });

  it("end with the logout of all browsers, and with the switch", async () => {
    await subscribe();
    await daemon.client.revokePages();
    expect((await daemon.client.push.get()).subscriptions).toEqual([]);
    await subscribe();
    const { message } = await ask();
    await daemon.client.push.switch(false);
    await expect(answer(message.ticket ?? "", "allow")).rejects.toMatchObject({ code: "bad_ticket" });
    expect((await daemon.client.push.get()).publicKey).toBeUndefined();
  });
});
