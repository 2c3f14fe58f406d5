import { McpServerSettings } from "@gantry/protocol";
import { expect, it } from "vitest";
import { readServer, splitCommand } from "./server-text.ts";

it("splits a command at blanks, and holds together what is quoted", () => {
  expect(splitCommand(`npx -y "my server" --path '/a b/c' "say \\"hi\\""`)).toEqual([
    "npx",
    "-y",
    "my server",
    "--path",
    "/a b/c",
    'say "hi"',
  ]);
});

it("reads a command with variables, and an address with headers", () => {
  const command = readServer({ name: "files", where: "npx files /tmp", more: "KEY=$KEY\n", agents: "a, b" });
  expect(command).toEqual({
    settings: { command: ["npx", "files", "/tmp"], env: { KEY: "$KEY" }, enabled: true, agents: ["a", "b"] },
  });
  const remote = readServer({
    name: "x",
    where: "https://x.example/mcp",
    more: "Authorization: Bearer a=b",
    agents: "",
  });
  expect(remote).toEqual({
    settings: {
      url: "https://x.example/mcp",
      transport: "http",
      headers: { Authorization: "Bearer a=b" },
      enabled: true,
    },
  });
  for (const read of [command, remote])
    expect("settings" in read && McpServerSettings.safeParse(read.settings).success).toBe(true);
});

it("says what is wrong", () => {
  expect(readServer({ name: "x", where: "cmd", more: "no equals sign", agents: "" })).toEqual({
    problem: "“no equals sign” is not NAME=value.",
  });
  expect(readServer({ name: "x", where: " ", more: "", agents: "" })).toHaveProperty("problem");
});
