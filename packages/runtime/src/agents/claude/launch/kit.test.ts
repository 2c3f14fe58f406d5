import type { Kit } from "@gantry/protocol";
import { expect, test } from "vitest";
import type { LaunchOptions } from "../../contract.ts";
import { streamJson } from "../channel.ts";

const options: LaunchOptions = { cwd: "/work", mode: "ask", uuid: "u", dir: "/given" };
const kit: Kit = {
  instructions: "Be brief.",
  servers: [{ name: "files", command: ["serve"], env: { TOKEN: "secret" }, enabled: true }],
  skills: [{ name: "release", description: "Makes one.", path: "/skills/release" }],
};

test("passes servers, skills and instructions as files", () => {
  const { args, files, links } = streamJson.launch({ ...options, kit });
  const after = (flag: string) => args[args.indexOf(flag) + 1];
  expect(after("--mcp-config")).toBe("/given/mcp.json");
  expect(after("--append-system-prompt-file")).toBe("/given/instructions.md");
  expect(after("--plugin-dir")).toBe("/given/plugin");
  expect(links).toEqual({ "plugin/skills/release": "/skills/release" });
  expect(Object.keys(files ?? {}).toSorted()).toEqual([
    "instructions.md",
    "mcp.json",
    "plugin/.claude-plugin/plugin.json",
  ]);
  expect(args.join(" ")).not.toContain("secret");
});

test("passes no flags without a kit", () => {
  const bare = streamJson.launch(options);
  expect(streamJson.launch({ ...options, kit: { servers: [], skills: [] } })).toEqual(bare);
  expect(bare.args.join(" ")).not.toMatch(/mcp|plugin|append/);
});
