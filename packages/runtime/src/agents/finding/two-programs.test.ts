import { dirname, join } from "node:path";
import { AgentRow } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Catalogue } from "../catalogue.ts";
import type { Agent } from "../contract.ts";
import { TestMachine, testAgent } from "./testing/machine.ts";

let machine: TestMachine;
beforeEach(() => {
  machine = new TestMachine();
});
afterEach(() => machine.remove());

function catalogue(agents: Agent[], env: Record<string, string> = {}): Catalogue {
  return new Catalogue({ agents, home: machine.home, env: machine.env(env) });
}

describe("an agent with two programs", () => {
  const otherChannel = { ...(testAgent("zz").channels[0] as Agent["channels"][number]), name: "library" };
  const packageProgram = { name: "@zz/sdk", command: (folder: string) => [process.execPath, "/worker.js", folder] };

  function twoPrograms(): Agent {
    const base = testAgent("zz");
    const channels = [otherChannel, ...base.channels];
    const otherwise = testAgent("zz", {
      find: { bin: [], env: "GANTRY_ZZ_SDK", package: packageProgram },
      install: { command: "npm install -g @zz/sdk" },
      login: ["@zz/sdk", "login"],
      channels,
      modes: { "full-auto": "everything" },
      lacks: { ask: "It cannot ask." },
      probe: async () => ({ ok: true, auth: { state: "missing", how: "no key" }, problems: [], channel: "library" }),
    });
    return { ...base, channels: [...base.channels, otherChannel], otherwise };
  }
  const addLibrary = (folder = "lib/node_modules/@zz/sdk") =>
    dirname(machine.file(`${folder}/package.json`, JSON.stringify({ name: "@zz/sdk" })));

  it("uses the first where it is installed", async () => {
    const path = machine.program("bin/zz");
    addLibrary();
    const agents = catalogue([twoPrograms()]);
    expect(await agents.row("zz")).toMatchObject({ path, channel: "scripted" });
    expect(agents.find("zz")?.modes).toHaveProperty("ask");
  });

  it("uses the other where only that is installed, with its modes, reasons and login", async () => {
    const path = addLibrary();
    const agents = catalogue([twoPrograms()]);
    expect(AgentRow.parse(await agents.row("zz"))).toMatchObject({
      state: "ready",
      path,
      channel: "library",
      modes: ["full-auto"],
      lacks: { ask: "It cannot ask." },
      offers: [{ kind: "login", command: [process.execPath, "/worker.js", path, "login"] }],
    });
    expect(agents.find("zz")?.modes).not.toHaveProperty("ask");
    expect((await agents.resolve("zz")).channel.name).toBe("library");
    expect(agents.loginOffer("zz")?.command).toContain(path);
    // A daemon that has not located the agent yet recalls the last one.
    expect(catalogue([twoPrograms()]).find("zz")?.modes).not.toHaveProperty("ask");
  });

  it("lets the user choose by the variable or with a profile", async () => {
    machine.program("bin/zz");
    const path = addLibrary("mine");
    const env = { GANTRY_ZZ_SDK: path };
    expect(await catalogue([twoPrograms()], env).row("zz")).toMatchObject({ path, channel: "library" });
    const both = { ...env, GANTRY_ZZ_BIN: join(machine.bin, "zz") };
    expect(await catalogue([twoPrograms()], both).row("zz")).toMatchObject({ channel: "scripted" });
    machine.file("home/agents/mine.yml", `id: mine\nextends: zz\nchannel: library\ncommand: ["${path}"]\n`);
    expect(await catalogue([twoPrograms()]).row("mine")).toMatchObject({ path, channel: "library" });
    machine.file("home/agents/wrong.yml", "id: wrong\nextends: zz\nchannel: nothing\n");
    const [problem] = (await catalogue([twoPrograms()]).row("wrong")).problems;
    expect(problem?.message).toContain("must be one of scripted, library");
  });

  it("offers both where neither is installed, and reports a variable that names no package", async () => {
    const [problem] = (await catalogue([twoPrograms()]).row("zz")).problems;
    expect(problem?.fix).toBe("Install it: npm install -g zz (or: npm install -g @zz/sdk)");
    const row = await catalogue([twoPrograms()], { GANTRY_ZZ_SDK: "/nowhere" }).row("zz");
    expect(row).toMatchObject({ state: "broken", problems: [{ code: "override_invalid" }] });
  });
});
