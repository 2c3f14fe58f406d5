import type { Kit, McpServer } from "@gantry/protocol";
import { expect, test } from "vitest";
import { instructionsFile, mergeLaunch, serversFile, skillsFolder } from "./launch-parts.ts";
import { mcpTool } from "./mcp-tool.ts";
import { kitSupport } from "./support.ts";

const files: McpServer = { name: "files", command: ["npx", "-y", "files"], env: { TOKEN: "secret" }, enabled: true };
const web: McpServer = { name: "web", url: "https://x.example", transport: "sse", headers: { A: "b" }, enabled: true };
const skill = { name: "release", description: "Makes one.", path: "/skills/release" };
const kit: Kit = { instructions: "Be brief.", servers: [files, web], skills: [skill] };

test("merges launch parts and omits empty ones", () => {
  const flag = (name: string) => (path: string) => ({ args: [name, path] });
  const launch = mergeLaunch(
    { args: ["run"], env: { A: "1" } },
    serversFile(kit, "/dir", flag("--mcp")),
    skillsFolder(kit, "/dir", flag("--skills")),
    instructionsFile(kit, "/dir", flag("--instructions")),
  );
  const paths = ["/dir/mcp.json", "/dir/skills", "/dir/instructions.md"];
  expect(launch.args).toEqual(["run", "--mcp", paths[0], "--skills", paths[1], "--instructions", paths[2]]);
  expect(launch.links).toEqual({ "skills/release": "/skills/release" });
  expect(launch.files?.["instructions.md"]).toBe("Be brief.");
  expect(JSON.parse(launch.files?.["mcp.json"] ?? "")).toEqual({
    mcpServers: {
      files: { type: "stdio", command: "npx", args: ["-y", "files"], env: { TOKEN: "secret" } },
      web: { type: "sse", url: "https://x.example", headers: { A: "b" } },
    },
  });
  expect(launch.args.join(" ")).not.toContain("secret");
  const none: Kit = { servers: [], skills: [] };
  const bare = [none, undefined].map((empty) =>
    mergeLaunch(
      serversFile(empty, "/dir", flag("--mcp")),
      skillsFolder(empty, "/dir", flag("--skills")),
      instructionsFile(empty, "/dir", flag("--instructions")),
    ),
  );
  expect(bare).toEqual([{ args: [] }, { args: [] }]);
});

test.each([
  ["mcp__files__read_all", { server: "files", tool: "read_all" }],
  ["mcp_files_read_all", { server: "files", tool: "read_all" }],
  ["files_read_all", { server: "files", tool: "read_all" }],
  ["files___read_all", { server: "files", tool: "read_all" }],
  ["files-read_all", { server: "files", tool: "read_all" }],
  ["read_all (files MCP Server)", { server: "files", tool: "read_all" }],
  ["filesystem_read", undefined],
  ["files", undefined],
  ["read_file", undefined],
])("splits the tool name %s into server and tool", (name, expected) => {
  expect(mcpTool(name, ["web", "files"])).toEqual(expected);
});

test("reports the kit support of a channel", () => {
  expect(kitSupport({ takes: { servers: ["stdio"], skills: true } } as never)).toEqual({
    servers: true,
    skills: "own",
    instructions: "prompt",
  });
  expect(kitSupport({} as never)).toEqual({ servers: false, skills: "prompt", instructions: "prompt" });
});
