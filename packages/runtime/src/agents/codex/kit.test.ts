import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Kit, McpServer } from "@gantry/protocol";
import { expect, test } from "vitest";
import { appServer } from "./app-server/channel.ts";
import { FakeAppServer } from "./app-server/conversation.ts";
import { exec } from "./exec/channel.ts";
import { settingParams } from "./modes.ts";
import { launch } from "./replay.ts";

const files: McpServer = { name: "files", command: ["npx", "-y", "files"], env: { TOKEN: "se'cret" }, enabled: true };
const web: McpServer = {
  name: "web",
  url: "https://x.example/mcp",
  transport: "http",
  headers: { Authorization: "Bearer secret" },
  enabled: true,
};
const skill = { name: "release", description: "Makes one.", path: "/skills/release" };
const kit: Kit = { instructions: "Be brief.", servers: [files, web], skills: [skill] };
const greeted = { id: 1, result: { userAgent: "x", codexHome: "/home/dev/.codex" } };

test("opens a thread with additional servers and instructions", () => {
  const conversation = new FakeAppServer({ kit, dir: "/given" });
  conversation.receive(greeted);
  const open = conversation.sent.find(({ method }) => method === "thread/start");
  expect(open?.params).toMatchObject({
    developerInstructions: "Be brief.",
    config: {
      "mcp_servers.files": { command: "npx", args: ["-y", "files"], env: { TOKEN: "se'cret" } },
      "mcp_servers.web": { url: "https://x.example/mcp", http_headers: { Authorization: "Bearer secret" } },
    },
  });
});

test("keeps additional folders writable, also after a mode change", () => {
  const conversation = new FakeAppServer({ kit, folders: ["/memory"] });
  conversation.receive(greeted);
  const open = conversation.sent.find(({ method }) => method === "thread/start");
  expect(open?.params).toMatchObject({ config: { "sandbox_workspace_write.writable_roots": ["/memory"] } });
  expect(settingParams({ asked: "auto-edit" }, {}, ["/memory"])).toMatchObject({
    sandboxPolicy: { type: "workspaceWrite", writableRoots: ["/memory"] },
  });
  expect(settingParams({ asked: "plan" }, {}, ["/memory"])).toMatchObject({ sandboxPolicy: { type: "readOnly" } });
});

test.each([
  [{ resume: "t" }, "thread/resume"],
  [{ resume: "t", fork: true }, "thread/fork"],
])("passes the same kit with %j", (options, method) => {
  const conversation = new FakeAppServer({ ...options, kit });
  conversation.receive(greeted);
  expect(conversation.lastSent).toMatchObject({ method, params: { developerInstructions: "Be brief." } });
});

test("passes the skills folder before the thread opens and drops secrets from the state afterwards", () => {
  const conversation = new FakeAppServer({ kit, dir: "/given" });
  expect(appServer.launch({ ...launch, kit, dir: "/given" }).links).toEqual({ "skills/release": "/skills/release" });
  conversation.receive(greeted);
  expect(conversation.sent.slice(2).map(({ id, method }) => [id, method])).toEqual([
    [2, "skills/extraRoots/set"],
    [3, "thread/start"],
  ]);
  expect(conversation.sent[2]?.params).toEqual({ extraRoots: ["/given/skills"] });
  expect(conversation.receive({ id: 2, result: {} })).toEqual([]);
  expect(conversation.receive({ id: 3, result: { thread: { id: "t" }, model: "m" } })).toContainEqual(
    expect.objectContaining({ kind: "ready", handle: "t" }),
  );
  expect(JSON.stringify(conversation.state)).not.toContain("secret");
});

test("reports a version without additional folders and continues", () => {
  const conversation = new FakeAppServer({ kit, dir: "/given" });
  conversation.receive(greeted);
  expect(conversation.receive({ id: 2, error: { code: -32600, message: "unknown variant" } })).toMatchObject([
    { kind: "event", event: { type: "notice", data: { kind: "kit" } } },
  ]);
  expect(conversation.receive({ id: 3, result: { thread: { id: "t" } } })).toContainEqual(
    expect.objectContaining({ kind: "ready" }),
  );
});

test("sends no additional request without a kit", () => {
  const conversation = new FakeAppServer({ kit: { servers: [], skills: [] } });
  conversation.receive(greeted);
  expect(conversation.sent.map(({ method }) => method)).toEqual(["initialize", "initialized", "thread/start"]);
  expect(Object.keys(conversation.lastSent.params ?? {})).not.toContain("config");
});

test("passes servers to exec by overrides without secrets", () => {
  const { args, files: scripts, env } = exec.launch({ ...launch, kit, dir: "/given" });
  expect(args.filter((_, index) => args[index - 1] === "-c").filter((text) => text.startsWith("mcp"))).toEqual([
    'mcp_servers.files.command="/bin/sh"',
    'mcp_servers.files.args=["/given/server-files.sh"]',
    'mcp_servers.web.url="https://x.example/mcp"',
    'mcp_servers.web.env_http_headers={"Authorization"="MCP_HEADER_WEB_0"}',
  ]);
  expect(args.join(" ")).not.toContain("secret");
  expect(env).toEqual({ MCP_HEADER_WEB_0: "Bearer secret" });
  expect(Object.keys(scripts ?? {})).toEqual(["server-files.sh"]);
});

test("starts the server with its environment, whatever characters the values have", () => {
  const folder = mkdtempSync(join(tmpdir(), "codex-kit-"));
  const server: McpServer = {
    name: "odd",
    command: ["sh", "-c", 'printf "%s" "$TOKEN|$1"', "x", "it's $HOME"],
    env: { TOKEN: "a'b\"c $PATH `id`" },
    enabled: true,
  };
  const { files: scripts } = exec.launch({ ...launch, kit: { servers: [server], skills: [] }, dir: folder });
  const path = join(folder, "server-odd.sh");
  writeFileSync(path, scripts?.["server-odd.sh"] ?? "");
  expect(execFileSync("/bin/sh", [path], { encoding: "utf8" })).toBe("a'b\"c $PATH `id`|it's $HOME");
  rmSync(folder, { recursive: true, force: true });
});
