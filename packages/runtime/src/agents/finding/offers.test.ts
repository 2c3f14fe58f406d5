import { expect, it } from "vitest";
import type { Agent } from "../contract.ts";
import { agents } from "../registry.ts";
import type { Installed } from "./locate.ts";
import { installOffer, loginOffer } from "./offers.ts";

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

it("an installer is run as it is written; one that needs a shell gets one", () => {
  expect(installOffer(agent)).toEqual({
    kind: "install",
    agent: "alpha",
    title: "Install Alpha",
    command: ["npm", "install", "-g", "@maker/alpha"],
    display: "npm install -g @maker/alpha",
  });
  const piped = "curl https://alpha.example/install -fsS | bash";
  expect(installOffer({ ...agent, install: { command: piped } })).toMatchObject({
    command: ["/bin/sh", "-c", piped],
    display: piped,
  });
  expect(installOffer({ ...agent, install: { command: "see its page", byHand: true } })).toBeUndefined();
});

it("a login names the program that was found, unless a shell finds it by itself", () => {
  const entry = { agent, env: {} };
  expect(loginOffer(entry, found("PATH", "/usr/bin/alpha"))).toMatchObject({
    command: ["alpha", "auth", "login"],
    display: "alpha auth login",
  });
  expect(loginOffer(entry, found("override", "/my tools/alpha"))).toMatchObject({
    command: ["/my tools/alpha", "auth", "login"],
    display: "'/my tools/alpha' auth login",
  });
  expect(loginOffer({ agent, env: { ALPHA_HOME: "/a" } })).toMatchObject({ env: ["ALPHA_HOME"] });
  expect(loginOffer({ agent: { ...agent, login: [] }, env: {} })).toBeUndefined();
});

it.each(agents.map((one) => [one.id, one] as const))("%s is offered nothing that cannot be run", (_, one) => {
  const command = installOffer(one)?.command ?? [];
  if (command.length === 0) expect(one.install.byHand).toBe(true);
  else expect(command[0]).toMatch(/^(npm|\/bin\/sh|curl|uv|pip|bun)$/);
});
