import { expect, it } from "vitest";
import type { Agent } from "../contract.ts";
import { builtInAgents } from "../registry.ts";
import type { Installed } from "./locate.ts";
import { installCommand, loginCommand } from "./setup-commands.ts";

const agent = {
  id: "alpha",
  name: "Alpha",
  find: { bin: ["alpha"], env: "GANTRY_ALPHA_BIN" },
  install: { command: "npm install -g @maker/alpha" },
  login: ["alpha", "auth", "login"],
} as unknown as Agent;

const found = (how: string, ...command: string[]): Installed => ({
  state: "installed",
  command,
  path: command[0] ?? "",
  how,
  env: {},
  fingerprint: "",
});

it("wraps only install commands that need a shell", () => {
  expect(installCommand(agent)).toEqual({
    kind: "install",
    agent: "alpha",
    title: "Install Alpha",
    command: ["npm", "install", "-g", "@maker/alpha"],
    display: "npm install -g @maker/alpha",
  });
  const piped = "curl https://alpha.example/install -fsS | bash";
  expect(installCommand({ ...agent, install: { command: piped } })).toMatchObject({
    command: ["/bin/sh", "-c", piped],
    display: piped,
  });
  expect(installCommand({ ...agent, install: { command: "see its page", byHand: true } })).toBeUndefined();
});

it("uses the located program for the login unless it is on PATH", () => {
  const entry = { agent, env: {} };
  expect(loginCommand(entry, found("PATH", "/usr/bin/alpha"))).toMatchObject({
    command: ["alpha", "auth", "login"],
    display: "alpha auth login",
  });
  expect(loginCommand(entry, found("override", "/my tools/alpha"))).toMatchObject({
    command: ["/my tools/alpha", "auth", "login"],
    display: "'/my tools/alpha' auth login",
  });
  expect(loginCommand({ agent, env: { ALPHA_HOME: "/a" } })).toMatchObject({ env: ["ALPHA_HOME"] });
  expect(loginCommand({ agent: { ...agent, login: [] }, env: {} })).toBeUndefined();
});

it.each(builtInAgents.map((one) => [one.id, one] as const))("%s offers only commands that can run", (_, one) => {
  const command = installCommand(one)?.command ?? [];
  if (command.length === 0) expect(one.install.byHand).toBe(true);
  else expect(command[0]).toMatch(/^(npm|\/bin\/sh|curl|uv|pip|bun)$/);
});
