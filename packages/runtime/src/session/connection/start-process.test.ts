import type { McpServer } from "@gantry/protocol";
import { expect, test } from "vitest";
import type { ServerKind } from "../../agents/contract.ts";
import type { Startable } from "./start-process.ts";
import { supportedKit, unsupportedNotices } from "./start-process.ts";

const files: McpServer = { name: "files", command: ["serve"], enabled: true };
const github: McpServer = { name: "github", url: "https://mcp.example", transport: "http", enabled: true };
const old: McpServer = { name: "old", url: "https://old.example", transport: "sse", enabled: true };

function startable(kinds: ServerKind[] | undefined, servers: McpServer[]): Startable {
  return {
    agent: { name: "Pi" },
    command: ["pi"],
    channel: { name: "rpc", takes: kinds && { servers: kinds } },
    kit: { servers, skills: [] },
    problems: [],
  } as unknown as Startable;
}

test("names the servers that an agent does not support", () => {
  expect(unsupportedNotices(startable(undefined, [github, files]))).toEqual([
    "Pi does not support MCP servers: github, files are not available to it.",
  ]);
  expect(unsupportedNotices(startable([], [github]))).toEqual([
    "Pi does not support MCP servers: github is not available to it.",
  ]);
});

test("passes on the servers of the kinds that a channel supports", () => {
  const some = startable(["stdio", "http"], [files, github, old]);
  expect(supportedKit(some.channel, some.kit).servers).toEqual([files, github]);
  expect(unsupportedNotices(some)).toEqual(["Pi does not support MCP servers over sse: old is not available to it."]);
});

test("reports nothing when every server is supported", () => {
  expect(unsupportedNotices(startable(["stdio"], [files]))).toEqual([]);
  expect(unsupportedNotices(startable(undefined, []))).toEqual([]);
});

test("reports unreadable kit files for every agent", () => {
  const problem = { code: "bad_mcp_file", message: "mcp.yml:3: files: no", fix: "Correct it." };
  expect(unsupportedNotices({ ...startable(["stdio"], []), problems: [problem] })).toEqual(["mcp.yml:3: files: no"]);
});
