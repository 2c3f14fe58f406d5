import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { Providers } from "./providers.ts";

const KEY = "sk-secret-of-mine";

function service() {
  const home = mkdtempSync(join(tmpdir(), "gantry-providers-"));
  let changes = 0;
  const providers = new Providers({ home, env: { HOME: home }, onChange: () => changes++ });
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return { providers, home, changes: () => changes };
}

/** A server that accepts one key, lists one model and answers every prompt with an error that repeats the key. */
async function startServer(): Promise<string> {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${KEY}`;
    response.writeHead(isKnown && request.method === "GET" ? 200 : 401, { "content-type": "application/json" });
    const body = isKnown && request.method === "GET" ? { data: [{ id: "one" }] } : { error: { message: `bad ${KEY}` } };
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
}

it("adds a server with its key, lists it without the key, tests it and removes both", async () => {
  const { providers, home, changes } = service();
  const added = await providers.addProvider({ name: "mine", baseUrl: await startServer(), key: KEY });
  expect(added).toEqual({ provider: "mine", added: true, models: 1, ready: true });
  expect(readFileSync(join(home, "agent/models.yml"), "utf8")).not.toContain(KEY);
  const listed = await providers.providers();
  expect(listed.providers).toMatchObject([{ provider: "mine", ready: true, inFile: true, storedKey: true }]);
  expect(listed.known.map(({ name }) => name)).toEqual(expect.arrayContaining(["anthropic", "glm", "openai"]));
  const test = await providers.testProvider("mine");
  expect(test).toMatchObject({ ok: false, model: "mine/one" });
  expect(JSON.stringify([listed, test])).not.toContain(KEY);
  expect(await providers.removeProvider("mine", true)).toEqual({ removed: true, keys: 1 });
  expect((await providers.providers()).providers).toEqual([]);
  expect(changes()).toBe(2);
});

it("stores a key for a provider of the catalogue without an entry in models.yml", async () => {
  const { providers } = service();
  const added = await providers.addProvider({ name: "anthropic", key: KEY });
  expect(added).toMatchObject({ provider: "anthropic", added: false, ready: true });
  expect((await providers.providers()).providers).toMatchObject([{ provider: "anthropic", inFile: false }]);
  expect(await providers.removeProvider("anthropic", true)).toEqual({ removed: false, keys: 1 });
});

it("refuses unknown providers and bad keys, and changes nothing", async () => {
  const { providers, changes } = service();
  await expect(providers.addProvider({ name: "no-such" })).rejects.toMatchObject({ code: "invalid" });
  await expect(providers.addProvider({ name: "anthropic", key: "a b" })).rejects.toMatchObject({ code: "invalid" });
  await expect(providers.testProvider("no-such")).rejects.toMatchObject({ code: "no_such_provider" });
  await expect(providers.removeProvider("anthropic", true)).rejects.toMatchObject({ code: "no_such_provider" });
  expect(changes()).toBe(0);
});
