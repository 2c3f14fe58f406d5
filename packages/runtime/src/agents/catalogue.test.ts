import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AgentRow, GantryError } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Catalogue, type CatalogueOptions } from "./catalogue.ts";
import type { Agent, Probe } from "./contract.ts";
import { TestMachine, testAgent } from "./finding/testing/machine.ts";

let machine: TestMachine;
beforeEach(() => {
  machine = new TestMachine();
});
afterEach(() => machine.remove());

function catalogue(
  agents: Agent[],
  more: Partial<CatalogueOptions> & { env?: Record<string, string> } = {},
): Catalogue {
  return new Catalogue({ agents, home: machine.home, ...more, env: machine.env(more.env as Record<string, string>) });
}

/** An agent that counts its probes. */
function countingAgent(id: string, answer: Partial<Probe> = {}): { agent: Agent; asked: () => number } {
  let count = 0;
  const agent = testAgent(id, {
    async probe() {
      count++;
      return { ok: true, version: `1.0.${count}`, auth: { state: "ok", how: "a key" }, problems: [], ...answer };
    },
  });
  return { agent, asked: () => count };
}

async function failure(promise: Promise<unknown>): Promise<GantryError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GantryError);
  return error as GantryError;
}

describe("rows", () => {
  it("contain the probe result of an installed agent", async () => {
    const path = machine.program("bin/zz", "echo 4.5.6");
    const [row] = await catalogue([testAgent("zz")]).list();
    expect(AgentRow.parse(row)).toMatchObject({
      id: "zz",
      name: "Agent zz",
      state: "ready",
      path,
      version: "4.5.6",
      auth: { state: "ok", how: "a key" },
      channel: "scripted",
      modes: ["plan", "ask", "auto-edit", "full-auto"],
      problems: [],
    });
  });

  it("contain the install command of a missing agent", async () => {
    const [row] = await catalogue([testAgent("zz")]).list();
    expect(AgentRow.parse(row)).toMatchObject({
      state: "missing",
      auth: { state: "unknown" },
      problems: [{ code: "not_installed", fix: "Install it: npm install -g zz" }],
    });
  });

  it("are broken, with a fix, when the override or the only program is unusable", async () => {
    machine.program("bin/zz");
    const env = { GANTRY_ZZ_BIN: "/nowhere/zz" };
    const [overridden] = await catalogue([testAgent("zz")], { env }).list();
    expect(overridden).toMatchObject({
      state: "broken",
      path: "/nowhere/zz",
      problems: [{ code: "override_invalid" }],
    });
    expect(overridden?.problems[0]?.message).toContain("GANTRY_ZZ_BIN names /nowhere/zz, which does not exist");
    const path = machine.program("bin/yy");
    chmodSync(path, 0o644);
    const [unusable] = await catalogue([testAgent("yy")]).list();
    expect(unusable).toMatchObject({ state: "broken", path, problems: [{ fix: `chmod +x ${path}` }] });
  });

  it("contain a reason and a login command when not logged in", async () => {
    machine.program("bin/aa");
    machine.program("bin/bb");
    const wrong = countingAgent("aa", { ok: false }).agent;
    const loggedOut = countingAgent("bb", { auth: { state: "missing", how: "the agent reported it" } }).agent;
    const rows = await catalogue([wrong, loggedOut]).list();
    expect(rows[0]).toMatchObject({ state: "broken", problems: [{ fix: "Reinstall it: npm install -g aa" }] });
    expect(rows[1]).toMatchObject({ state: "ready", problems: [{ code: "not_logged_in", fix: "Run: bb login" }] });
  });

  it("prefer live models to the fallback", async () => {
    machine.program("bin/zz");
    const live = [{ id: "m", name: "M", default: true, efforts: [] }];
    const [row] = await catalogue([countingAgent("zz", { models: live }).agent]).list();
    expect(row?.models).toEqual({ source: "live", items: live });
    const [without] = await catalogue([countingAgent("zz").agent]).list(true);
    expect(without?.models.source).toBe("fallback");
  });
});

it("gives the environment for probes to probes only", async () => {
  machine.program("bin/zz", '[ "$MINE" ] && echo 1.0.7 || echo 1.0.0');
  const probe: Agent["probe"] = async (tools) => {
    const { stdout } = await tools.run(["--version"]);
    return { ok: true, version: stdout.trim(), auth: { state: "ok", how: "a key" }, problems: [] };
  };
  const agents = catalogue([testAgent("zz", { probeEnv: { MINE: "7" }, probe })]);
  const { bin, version } = await agents.resolve("zz");
  expect([bin.env, version]).toEqual([{}, "1.0.0"]);
  expect(await agents.list()).toMatchObject([{ version: "1.0.7" }]);
});

describe("a failing agent", () => {
  it("does not delay other rows", async () => {
    for (const id of ["quick", "slow"]) machine.program(`bin/${id}`);
    const gate = Promise.withResolvers<void>();
    const slow = testAgent("slow", {
      async probe() {
        await gate.promise;
        return { ok: true, auth: { state: "ok", how: "late" }, problems: [] };
      },
    });
    const landed: string[] = [];
    await catalogue([slow, testAgent("quick"), testAgent("absent")]).stream(false, ({ id }) => {
      landed.push(id);
      if (landed.length === 2) gate.resolve();
    });
    expect(landed.slice(0, 2).sort()).toEqual(["absent", "quick"]);
    expect(landed[2]).toBe("slow");
  });

  it("is unknown when its probe hangs or throws, or when the search fails", async () => {
    for (const id of ["hangs", "throws"]) machine.program(`bin/${id}`, "sleep 600");
    const hangs = testAgent("hangs", {
      probe: async (tools) => (await tools.run([], { timeoutMs: 600_000 })) as never,
    });
    const throws = testAgent("throws", { probe: () => Promise.reject(new Error("no such field")) });
    const odd = Object.defineProperty(testAgent("odd"), "find", {
      get() {
        throw new Error("odd");
      },
    });
    const lines: string[] = [];
    const rows = await catalogue([hangs, throws, odd], {
      probeDeadlineMs: 500,
      log: (line) => lines.push(line),
    }).list();
    expect(rows.map(({ state }) => state)).toEqual(["unknown", "unknown", "unknown"]);
    expect(rows.map((row) => row.problems[0]?.code)).toEqual(["probe_timeout", "probe_failed", "search_failed"]);
    expect(rows.every((row) => row.problems[0]?.fix)).toBe(true);
    expect(lines).toHaveLength(3);
  });
});

describe("probe results are cached", () => {
  it("until the program changes or a refresh is requested", async () => {
    machine.program("bin/zz");
    const { agent, asked } = countingAgent("zz");
    const agents = catalogue([agent]);
    await agents.list();
    await agents.row("zz");
    await Promise.all([agents.list(), agents.list()]);
    expect(asked()).toBe(1);
    machine.program("bin/zz", "echo another program");
    await agents.list();
    expect(asked()).toBe(2);
    await agents.list(true);
    expect(asked()).toBe(3);
  });

  it("and returned with their time while a stale result is refreshed", async () => {
    machine.program("bin/zz");
    let now = 0;
    const { agent, asked } = countingAgent("zz");
    const agents = catalogue([agent], { now: () => now });
    await agents.list();
    now += 11 * 60_000;
    const seen: AgentRow[] = [];
    await agents.stream(false, (row) => seen.push(row));
    expect(seen).toMatchObject([
      { version: "1.0.1", askedAt: "1970-01-01T00:00:00.000Z" },
      { version: "1.0.2", askedAt: "1970-01-01T00:11:00.000Z" },
    ]);
    now += 11 * 60_000;
    expect(await agents.list()).toMatchObject([{ version: "1.0.2" }]);
    expect(await agents.row("zz")).toMatchObject({ version: "1.0.3" });
    expect(asked()).toBe(3);
  });

  it("for the next daemon, which probes again because its environment may differ", async () => {
    machine.program("bin/zz");
    const first = countingAgent("zz");
    await catalogue([first.agent]).list();
    const gate = Promise.withResolvers<void>();
    const later = testAgent("zz", {
      probe: async () => {
        await gate.promise;
        return { ok: true, version: "2.0.0", auth: { state: "ok", how: "another key" }, problems: [] };
      },
    });
    const seen: (string | undefined)[] = [];
    await catalogue([later], { now: () => Date.now() + 1 }).stream(false, ({ version }) => {
      seen.push(version);
      gate.resolve();
    });
    expect(seen).toEqual(["1.0.1", "2.0.0"]);
  });

  it("without storing a profile's environment", async () => {
    machine.program("bin/zz");
    machine.file("home/agents/mine.yml", "id: mine\nextends: zz\nenv: { SECRET: hush-hush }\n");
    await catalogue([countingAgent("zz").agent]).list();
    const text = readFileSync(join(machine.home, "cache", "agents.json"), "utf8");
    expect(text).toContain('"mine"');
    expect(text).not.toContain("hush-hush");
  });

  it("unless the cache file is invalid or not writable", async () => {
    machine.program("bin/zz");
    machine.file("home/cache/agents.json", '{"v":1,"answers":{"zz":{"fingerprint":7}}}');
    const { agent, asked } = countingAgent("zz");
    expect(await catalogue([agent]).list()).toMatchObject([{ state: "ready" }]);
    rmSync(join(machine.home, "cache"), { recursive: true });
    machine.file("home/cache", "in the way");
    expect(await catalogue([agent]).list()).toMatchObject([{ state: "ready" }]);
    expect(asked()).toBe(2);
  });

  it("only briefly, and never shown, when there is a problem", async () => {
    machine.program("bin/zz");
    let now = 0;
    const { agent, asked } = countingAgent("zz", { auth: { state: "missing", how: "no key" } });
    const agents = catalogue([agent], { now: () => now });
    await agents.list();
    await agents.list();
    now += 20_000;
    expect(await agents.list()).toMatchObject([{ version: "1.0.2" }]);
    expect(asked()).toBe(2);
  });

  it("and shared by concurrent callers", async () => {
    const log = join(machine.root, "asked");
    machine.program("bin/zz", `echo once >> ${log}; sleep 2; echo 1.2.3`);
    const agents = catalogue([testAgent("zz")]);
    await Promise.all([agents.list(true), agents.list(true), agents.row("zz")]);
    expect(readFileSync(log, "utf8")).toBe("once\n");
  });
});

describe("resolve", () => {
  it("returns command, version and channel without a probe", async () => {
    const path = machine.program("bin/zz", 'echo "zz version 7.8.9-beta (build 1)"');
    const { agent, asked } = countingAgent("zz");
    const resolved = await catalogue([agent]).resolve("zz");
    expect(resolved.agent).toBe(agent);
    expect(resolved.bin).toEqual({ command: [path], env: {} });
    expect(resolved.version).toBe("7.8.9-beta");
    expect(resolved.channel).toBe(agent.channels[0]);
    expect(asked()).toBe(0);
  });

  it("goes without the version of a slow program, which a caller that needs it can wait for", async () => {
    machine.program("bin/zz", "sleep 2; echo 7.8.9");
    const agents = catalogue([testAgent("zz")]);
    expect((await agents.resolve("zz")).version).toBeUndefined();
    expect(await agents.readVersion("zz")).toBe("7.8.9");
    expect((await agents.resolve("zz")).version).toBe("7.8.9");
    expect(await catalogue([testAgent("absent")]).readVersion("absent")).toBeUndefined();
  });

  describe("with several channels", () => {
    const second = { ...testAgent("zz").channels[0], name: "second" } as Agent["channels"][number];
    const both = (agent: Agent, more: Partial<Agent> = {}): Agent => ({
      ...agent,
      channels: [...agent.channels, second],
      ...more,
    });

    it("uses the channel that the probe reported", async () => {
      machine.program("bin/zz", "echo 1.0.1");
      const { agent, asked } = countingAgent("zz", { channel: "second" });
      const agents = catalogue([both(agent)]);
      expect(await agents.resolve("zz")).toMatchObject({ version: "1.0.1", channel: { name: "second" } });
      expect(await agents.resolve("zz")).toMatchObject({ channel: { name: "second" } });
      expect(asked()).toBe(1);
    });

    it("skips the probe when the version decides", async () => {
      machine.program("bin/zz", "echo 1.0.1");
      const { agent, asked } = countingAgent("zz", { channel: "second" });
      const agents = catalogue([both(agent, { channelOf: () => "scripted" })]);
      expect(await agents.resolve("zz")).toMatchObject({ channel: { name: "scripted" } });
      expect(asked()).toBe(0);
      await agents.list();
      expect(await agents.resolve("zz")).toMatchObject({ channel: { name: "second" } });
    });

    it("probes again after a failed start and caches the new result", async () => {
      machine.program("bin/zz", "echo 1.0.1");
      let channel: string | undefined;
      const agent = testAgent("zz", {
        probe: async () => ({ ok: true, auth: { state: "ok", how: "a key" }, problems: [], channel }),
      });
      const agents = catalogue([both(agent, { channelOf: () => "scripted" })]);
      await agents.list();
      channel = "second";
      expect(await agents.resolve("zz")).toMatchObject({ channel: { name: "scripted" } });
      expect(await agents.resolve("zz", true)).toMatchObject({ channel: { name: "second" } });
      expect(await agents.resolve("zz")).toMatchObject({ channel: { name: "second" } });
    });

    it("reports the reason when the agent has no channel", async () => {
      machine.program("bin/zz", "echo 1.0.1");
      const problems = [{ code: "main_channel_missing", message: "This version has no ACP.", fix: "Update it." }];
      const agents = catalogue([
        both(countingAgent("zz", { ok: false, problems }).agent, { channelOf: () => "scripted" }),
      ]);
      expect((await agents.resolve("zz")).channel.name).toBe("scripted");
      expect(await failure(agents.resolve("zz", true))).toMatchObject({
        code: "agent_unavailable",
        message: "This version has no ACP.",
        remedy: "Update it.",
      });
    });
  });

  it("passes the agent's environment to probes and processes, overridden by the profile's", async () => {
    machine.program("bin/zz", 'echo "1.0.0 $STAY $MORE"');
    machine.file("home/agents/mine.yml", "id: mine\nextends: zz\nenv: { MORE: mine }\n");
    const agents = catalogue([testAgent("zz", { env: { STAY: "put", MORE: "less" } })]);
    expect((await agents.list()).map(({ version }) => version)).toEqual(["1.0.0 put less", "1.0.0 put mine"]);
    expect((await agents.resolve("mine")).bin.env).toEqual({ STAY: "put", MORE: "mine" });
  });

  it("does not wait for a slow version command", async () => {
    machine.program("bin/zz", "sleep 600");
    expect(await catalogue([testAgent("zz")]).resolve("zz")).toMatchObject({ version: undefined });
  });

  it("adds the program's folder to PATH if absent", async () => {
    const path = machine.program("home/.nvm/versions/node/v22.0.0/bin/zz", "exec zz-node");
    machine.program("home/.nvm/versions/node/v22.0.0/bin/zz-node", "echo 2.2.2");
    const { bin, version } = await catalogue([testAgent("zz")]).resolve("zz");
    expect(bin.command).toEqual([path]);
    expect(bin.env.PATH?.startsWith(`${machine.home}/.nvm/versions/node/v22.0.0/bin:${machine.bin}:`)).toBe(true);
    expect(version).toBe("2.2.2");
  });

  it("throws with a remedy when the agent is unavailable", async () => {
    const agents = catalogue([testAgent("zz"), countingAgent("aa", { ok: false }).agent]);
    const unknown = await failure(agents.resolve("unknown"));
    expect(unknown).toMatchObject({ code: "no_such_agent", remedy: "Use one of: zz, aa." });
    const missing = await failure(agents.resolve("zz"));
    expect(missing).toMatchObject({ code: "agent_unavailable", remedy: "Install it: npm install -g zz" });
    machine.program("bin/aa");
    await agents.list();
    expect((await failure(agents.resolve("aa"))).remedy).toContain("npm install -g aa");
  });

  it("probes again before it reports a cached failure", async () => {
    machine.program("bin/zz");
    let ok = false;
    const agent = testAgent("zz", {
      probe: async () => ({ ok, auth: { state: "ok", how: "a key" }, problems: [] }),
    });
    const agents = catalogue([agent]);
    expect((await agents.row("zz")).state).toBe("broken");
    ok = true;
    expect((await agents.resolve("zz")).agent.id).toBe("zz");
  });
});

describe("local profiles", () => {
  it("are listed and started like built-in agents, with their environment", async () => {
    const wrapper = machine.program("tools/wrapper", 'echo "$1 $GREETING"');
    machine.file(
      "home/agents/mine.yml",
      `id: mine\nextends: zz\ncommand: [${wrapper}, "3.1.4"]\nenv: { GREETING: hi }\n`,
    );
    const agents = catalogue([testAgent("zz")]);
    const row = (await agents.list()).find(({ id }) => id === "mine");
    expect(row).toMatchObject({ state: "ready", path: wrapper, version: "3.1.4 hi" });
    const { bin } = await agents.resolve("mine");
    expect(bin.command).toEqual([wrapper, "3.1.4"]);
    expect(bin.env).toMatchObject({ GREETING: "hi" });
  });

  it("report a missing command", async () => {
    machine.file("home/agents/named.yml", "id: named\nextends: zz\ncommand: [zz-nowhere]\n");
    machine.file("home/agents/placed.yml", "id: placed\nextends: zz\ncommand: [/nowhere/zz]\n");
    const rows = await catalogue([testAgent("zz")]).list();
    expect(rows.map(({ id, state }) => [id, state])).toEqual([
      ["zz", "missing"],
      ["named", "missing"],
      ["placed", "broken"],
    ]);
    expect(rows[2]?.problems[0]?.fix).toContain(join(machine.home, "agents", "placed.yml"));
  });

  it("that are invalid do not affect others and cannot be started", async () => {
    machine.program("bin/zz");
    machine.file("home/agents/bad.yml", "id: bad\nextends: zz\ncolour: blue\n");
    const agents = catalogue([testAgent("zz")]);
    expect((await agents.list()).map(({ id, state }) => [id, state])).toEqual([
      ["zz", "ready"],
      ["bad", "broken"],
    ]);
    expect(await failure(agents.resolve("bad"))).toMatchObject({ code: "agent_unavailable" });
    expect((await failure(agents.resolve("bad"))).message).toContain("bad.yml:3: colour");
  });

  it("take effect without a restart when a file is written, changed, damaged or deleted", async () => {
    machine.program("bin/zz");
    const agents = catalogue([testAgent("zz", { name: "Zz" })]);
    const path = "home/agents/mine.yml";
    machine.file(path, "id: mine\nextends: zz\nname: One\n");
    await agents.list();
    const first = agents.find("mine");
    expect(first?.name).toBe("One");
    await agents.list();
    expect(agents.find("mine")).toBe(first);
    // The file has the same size and modification time.
    machine.file(path, "id: mine\nextends: zz\nname: Two\n");
    expect((await agents.resolve("mine")).agent.name).toBe("Two");
    expect(agents.find("mine")?.name).toBe("Two");
    machine.file(path, "id: mine\nextends: zz\ncolour: blue\n");
    expect((await failure(agents.resolve("mine"))).message).toContain("mine.yml:3: colour");
    expect(agents.find("mine")).toBeUndefined();
    machine.file(path, "id: mine\nextends: zz\nname: Two\n");
    expect(agents.lookUp("mine")?.name).toBe("Two");
    rmSync(join(machine.home, "agents", "mine.yml"));
    expect((await agents.list()).map(({ id }) => id)).toEqual(["zz"]);
    expect(agents.find("mine")).toBeUndefined();
  });
});
