import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeIds } from "@gantry/protocol";
import { type DialectName, type FaultSpec, writeFakeAgent } from "@gantry/testkit";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Catalogue } from "../agents/catalogue.ts";
import { builtInAgents } from "../agents/registry.ts";
import { Config } from "../config.ts";
import type { Limits } from "../limits/limits.ts";
import { openLimits } from "../limits/open.ts";
import type { Store } from "../log/port.ts";
import { openStore } from "../log/sqlite/open.ts";
import { running } from "../process/identity.ts";
import type { AgentScribe } from "./agent-scribe.ts";
import { openScribe } from "./open-scribe.ts";

let home: string;
let store: Store;
let scribe: AgentScribe | undefined;
let limits: Limits;
let told: string[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-scribe-test-"));
  store = openStore(join(home, "gantry.db"));
  told = [];
  vi.stubEnv("TMPDIR", home);
});

afterEach(async () => {
  await scribe?.stop();
  scribe = undefined;
  store.close();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

function open(
  agent: string | undefined,
  dialect: DialectName = "scripted",
  faults: FaultSpec[] = [],
  seconds = 30,
  more = {},
) {
  const bin = writeFakeAgent({ dir: join(home, "bin"), dialect, fault: faults });
  const env = { PATH: process.env.PATH ?? "", HOME: home, TMPDIR: home };
  const catalogue = new Catalogue({
    agents: builtInAgents,
    home,
    env: { ...env, [`GANTRY_${dialect.toUpperCase()}_BIN`]: bin },
  });
  const config = Config.parse({ scribe: { agent, seconds }, ...more });
  const nobody = { parked: () => [], view: () => undefined, wake: () => {}, handOn: async () => {} };
  limits = openLimits({ store, config, catalogue, log: () => {}, sessions: () => nobody, kin: undefined });
  const ids = makeIds(Date.now, Math.random);
  scribe = openScribe({
    config,
    catalogue,
    store,
    limits: () => limits,
    env,
    id: () => ids("process"),
    log: (line) => told.push(line),
  });
  return scribe;
}

const wanted = { maxChars: 200 };
const left = () => running().filter(({ marker }) => marker && store.processes.get(marker)).length;
const folders = () => readdirSync(home).filter((name) => name.startsWith("gantry-scribe-"));

describe("a scribe that is an agent", () => {
  it.each<DialectName>(["scripted", "claude", "codex"])("gives the words of one that speaks as %s", async (dialect) => {
    const text = await open(dialect, dialect).ask("title", "[[say:Mend the lamp]]", wanted);
    expect([text, told]).toEqual(["Mend the lamp", []]);
    expect([store.processes.all(), left()]).toEqual([[], 0]);
    expect(store.usage(["session", "agent"]).rows).toMatchObject([{ session: "scribe", agent: dialect, turns: 1 }]);
    expect(store.sessions.list({ archived: "any" }).sessions).toEqual([]);
  });

  it("is not there until it is named", async () => {
    const none = open(undefined);
    expect(none.available).toBe(false);
    expect(await none.ask("title", "[[say:x y]]", wanted)).toBeUndefined();
    expect(store.usage([]).total.turns).toBe(0);
  });

  it.each<[string, DialectName, string, FaultSpec[], RegExp]>([
    ["asks for something", "claude", "[[write]]", [], /asked for something/],
    ["fails", "scripted", "[[error:quota]]", [], /quota/],
    ["says too much", "scripted", "[[long:500]]", [], /499 characters where at most 200/],
    ["crashes", "scripted", "[[text]]", ["crash-after-accept"], /no title: /],
    ["does not start", "scripted", "[[text]]", ["exit-at-once"], /ended with 1/],
    ["says nothing", "scripted", "[[text]]", ["never-ready"], /too long/],
    ["hangs", "scripted", "[[hang]]", [], /too long/],
  ])("gives nothing when it %s, and leaves nothing behind", async (_, dialect, prompt, faults, why) => {
    const slow = /too long/.test(why.source);
    const text = await open(dialect, dialect, faults, slow ? 1 : 30).ask("title", prompt, wanted);
    expect(text).toBeUndefined();
    expect(told.join("\n")).toMatch(why);
    expect([store.processes.all(), left(), folders()]).toEqual([[], 0, []]);
  });

  it("gives nothing when its agent is not there", async () => {
    expect(await open("nobody").ask("title", "[[text]]", wanted)).toBeUndefined();
    expect(told.join()).toContain("nobody");
  });

  it("counts what a text that it threw away has cost", async () => {
    await open("claude", "claude").ask("title", "[[long:500]]", wanted);
    expect(store.usage(["session"]).rows).toMatchObject([{ session: "scribe", turns: 1 }]);
    expect(store.usage([]).total.usage.output).toBeGreaterThan(0);
  });

  it("answers two at once; of those that wait, the newest of a session and purpose", async () => {
    const one = open("scripted", "scripted", [], 20);
    const busy = [one.ask("brief", "[[hang]]", { ...wanted }), one.ask("brief", "[[hang]]", { ...wanted })];
    const old = one.ask("title", "[[say:old one]]", { ...wanted, session: "ses_1" });
    const other = one.ask("summary", "[[say:a summary]]", { ...wanted, session: "ses_1" });
    const fresh = one.ask("title", "[[say:new one]]", { ...wanted, session: "ses_1" });
    expect(await old).toBeUndefined();
    await expect.poll(() => store.processes.all().length, { timeout: 20_000 }).toBe(2);
    await one.stop();
    expect(await Promise.all([...busy, other, fresh])).toEqual([undefined, undefined, undefined, undefined]);
    expect(left()).toBe(0);
  });

  it("lets no more than twenty wait", async () => {
    const one = open("scripted");
    const asked = Array.from({ length: 23 }, () => one.ask("title", "[[hang]]", wanted));
    await expect(asked.at(-1)).resolves.toBeUndefined();
    await one.stop();
    expect(await Promise.all(asked)).toEqual(asked.map(() => undefined));
  });

  it("is refused for all, and asks no more until the limit is over", async () => {
    const patient = { limits: { backoffSeconds: [3600], jitterSeconds: 0 } };
    const one = open("scripted", "scripted", [], 30, patient);
    expect(await one.ask("title", "[[error:rate_limit]]", wanted)).toBeUndefined();
    expect(limits.list()).toMatchObject([{ provider: "scripted", state: "open" }]);
    expect(store.records("limit").list()).toHaveLength(1);
    expect(one.available).toBe(false);
    expect(await one.ask("title", "[[say:Two words]]", wanted)).toBeUndefined();
    expect(store.usage([]).total.turns).toBe(1);
  });

  it("tries once the time has come, and its answer lets the others go on", async () => {
    const one = open("scripted", "scripted", [], 30, { limits: { backoffSeconds: [0.1], jitterSeconds: 0 } });
    await one.ask("title", "[[error:rate_limit]]", wanted);
    await expect.poll(() => one.available, { timeout: 20_000 }).toBe(true);
    expect(await one.ask("title", "[[say:Two words]]", wanted)).toBe("Two words");
    expect(limits.list()).toEqual([]);
  });

  it("asks nothing once the day's budget is spent", async () => {
    const one = open("scripted", "scripted", [], 30, { budgets: { dayUsd: 1 } });
    expect(one.available).toBe(true);
    const cost = { usd: 2, source: "agent" as const };
    store.book({ account: "scribe", at: new Date().toISOString(), agent: "scripted", cost });
    expect(one.available).toBe(false);
  });

  it("gives up when nobody wants it any more", async () => {
    const gone = new AbortController();
    const asked = open("scripted").ask("title", "[[hang]]", { ...wanted, signal: gone.signal });
    await expect.poll(() => store.processes.all().length, { timeout: 20_000 }).toBe(1);
    gone.abort();
    expect(await asked).toBeUndefined();
    expect(left()).toBe(0);
  });
});
