import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { json, startServer, type TestServer } from "../server/testing/server.harness.ts";
import { KitRegistry } from "./registry.ts";

let home: string;
let server: TestServer;
beforeAll(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "kit-api-")));
  server = await startServer({ kit: new KitRegistry(home, {}) });
});
beforeEach(() => rmSync(join(home, "mcp.yml"), { force: true }));
afterAll(async () => {
  await server.server.close();
  rmSync(home, { recursive: true, force: true });
});

const put = (path: string, body: unknown) => server.ask(path, { ...json(body), method: "PUT" });
const remove = (path: string) => server.ask(path, { method: "DELETE" });
const file = () => (existsSync(join(home, "mcp.yml")) ? readFileSync(join(home, "mcp.yml"), "utf8") : undefined);

it("puts, lists without secrets, replaces and deletes a server", async () => {
  const made = await put("/v1/mcp-servers/files", { command: ["serve"], env: { TOKEN: "hush" } });
  expect([made.status, made.json]).toEqual([200, { name: "files", enabled: true, command: ["serve"], env: ["TOKEN"] }]);
  const { text } = await server.ask("/v1/mcp-servers");
  expect(text).not.toContain("hush");
  expect(JSON.parse(text)).toEqual({ servers: [made.json], problems: [] });
  expect((await put("/v1/mcp-servers/files", { url: "https://x.example/mcp" })).json).toMatchObject({
    transport: "http",
  });
  expect((await remove("/v1/mcp-servers/files")).json).toEqual({ deleted: true });
  expect((await remove("/v1/mcp-servers/files")).status).toBe(404);
});

it.each([
  ["/v1/mcp-servers/Bad%20Name", { command: ["x"] }, /name: must be lower-case/],
  ["/v1/mcp-servers/..%2fx", { command: ["x"] }, /name: must be lower-case/],
  ["/v1/mcp-servers/files", { command: "x" }, /command: /],
  ["/v1/mcp-servers/files", { command: ["x"], colour: "red" }, /colour/],
  ["/v1/mcp-servers/files", { url: "x" }, /url: /],
  ["/v1/mcp-servers/files", { url: "https://x.example", agents: ["NO"] }, /agents\.0: /],
  ["/v1/mcp-servers/files", {}, /command: /],
])("%s with %j is refused, and nothing is changed", async (path, body, message) => {
  const answer = await put(path, body);
  expect([answer.status, answer.text]).toEqual([422, expect.stringMatching(message)]);
  expect(file()).toBeUndefined();
});

it("changes nothing for a call without a body, or while the file is invalid", async () => {
  expect((await server.ask("/v1/mcp-servers/files", { method: "PUT" })).status).toBe(400);
  writeFileSync(join(home, "mcp.yml"), "files: [\n");
  expect((await put("/v1/mcp-servers/new", { command: ["x"] })).status).toBe(409);
  expect((await remove("/v1/mcp-servers/files")).status).toBe(409);
  expect(file()).toBe("files: [\n");
  expect((await server.ask("/v1/mcp-servers")).json).toMatchObject({ servers: [], problems: [{}] });
});

it("links, lists and unlinks a skill, and refuses a folder without one", async () => {
  const path = join(home, "mine");
  mkdirSync(path);
  expect((await put("/v1/skills/release", { path })).status).toBe(422);
  writeFileSync(join(path, "SKILL.md"), "---\nname: release\ndescription: Makes a release.\n---\n");
  expect((await put("/v1/skills/other", { path })).status).toBe(422);
  expect((await put("/v1/skills/release", { path: "mine" })).status).toBe(422);
  expect((await put("/v1/skills/..", { path })).status).not.toBe(200);
  const skill = { name: "release", description: "Makes a release.", path, linked: true };
  expect((await put("/v1/skills/release", { path })).json).toEqual(skill);
  expect((await server.ask("/v1/skills")).json).toEqual({ skills: [skill], problems: [] });
  expect((await remove("/v1/skills/release")).json).toEqual({ deleted: true });
  expect((await remove("/v1/skills/release")).status).toBe(404);
  expect(existsSync(join(path, "SKILL.md"))).toBe(true);
});
