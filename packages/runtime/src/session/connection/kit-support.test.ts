import type { McpServer } from "@gantry/protocol";
import { expect, test } from "vitest";
import type { ServerKind } from "../../agents/contract.ts";
import { supportedKit, withheld } from "./kit-support.ts";
import type { Startable } from "./start-process.ts";

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

test("servers that an agent cannot be given are named", () => {
  expect(withheld(startable(undefined, [github, files]))).toEqual([
    "Pi takes no MCP servers: github, files are not offered to it.",
  ]);
  expect(withheld(startable([], [github]))).toEqual(["Pi takes no MCP servers: github is not offered to it."]);
});

test("an agent that is not given all kinds gets the others", () => {
  const some = startable(["stdio", "http"], [files, github, old]);
  expect(supportedKit(some.channel, some.kit).servers).toEqual([files, github]);
  expect(withheld(some)).toEqual(["Pi takes no MCP servers over sse: old is not offered to it."]);
});

test("nothing is said where there is nothing to miss", () => {
  expect(withheld(startable(["stdio"], [files]))).toEqual([]);
  expect(withheld(startable(undefined, []))).toEqual([]);
});

test("what could not even be read is told to every agent", () => {
  const problem = { code: "bad_mcp_file", message: "mcp.yml:3: files: no", fix: "Correct it." };
  expect(withheld({ ...startable(["stdio"], []), problems: [problem] })).toEqual(["mcp.yml:3: files: no"]);
});
