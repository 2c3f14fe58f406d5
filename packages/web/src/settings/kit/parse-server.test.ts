import { McpServerSettings } from "@gantry/protocol";
import { expect, it } from "vitest";
import { parseServer, splitCommand } from "./parse-server.ts";

it("splits a command at spaces and keeps quoted parts together", () => {
  expect(splitCommand(`npx -y "my server" --path '/a b/c' "print \\"hi\\""`)).toEqual([
    "npx",
    "-y",
    "my server",
    "--path",
    "/a b/c",
    'print "hi"',
  ]);
});

it("parses a command with variables and an address with headers", () => {
  const command = parseServer({ name: "files", where: "npx files /tmp", more: "KEY=$KEY\n", agents: "a, b" });
  expect(command).toEqual({
    settings: { command: ["npx", "files", "/tmp"], env: { KEY: "$KEY" }, enabled: true, agents: ["a", "b"] },
  });
  const remote = parseServer({
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

it("reports what is wrong with the form", () => {
  expect(parseServer({ name: "x", where: "cmd", more: "no equals sign", agents: "" })).toEqual({
    problem: "“no equals sign” is not NAME=value.",
  });
  expect(parseServer({ name: "x", where: " ", more: "", agents: "" })).toHaveProperty("problem");
});
