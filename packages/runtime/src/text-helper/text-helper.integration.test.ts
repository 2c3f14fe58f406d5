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
import { openLimits } from "../limits/open-limits.ts";
import type { Store } from "../log/port.ts";
import { openStore } from "../log/sqlite/open.ts";
import { listProcesses } from "../process/identity.ts";
import { openTextHelper } from "./open-text-helper.ts";
import type { QueuedTextHelper } from "./queued-text-helper.ts";

let home: string;
let store: Store;
let helper: QueuedTextHelper | undefined;
let limits: Limits;
let logged: string[];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-text-helper-test-"));
  store = openStore(join(home, "gantry.db"));
  logged = [];
  vi.stubEnv("TMPDIR", home);
});

afterEach(async () => {
  await helper?.stop();
  helper = undefined;
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
  const noSessions = { parked: () => [], view: () => undefined, wake: () => {}, handOn: async () => {} };
  limits = openLimits({ store, config, catalogue, log: () => {}, sessions: () => noSessions, kin: undefined });
  const ids = makeIds(Date.now, Math.random);
  helper = openTextHelper({
    config,
    catalogue,
    store,
    limits: () => limits,
    home,
    daemonEnv: { ...env, GANTRY_TEXT_HELPER: "off" },
    env,
    id: () => ids("process"),
    log: (line) => logged.push(line),
  });
  return helper;
}

const options = { maxChars: 200 };
const left = () => listProcesses().filter(({ marker }) => marker && store.processes.get(marker)).length;
const folders = () => readdirSync(home).filter((name) => name.startsWith("gantry-text-helper-"));

describe("the text helper", () => {
  it.each<DialectName>(["scripted", "claude", "codex"])(
    "returns the text of an agent that speaks %s",
    async (dialect) => {
      const text = await open(dialect, dialect).ask("title", "[[say:Repair the lamp]]", options);
      expect([text, logged]).toEqual(["Repair the lamp", []]);
      expect([store.processes.all(), left()]).toEqual([[], 0]);
      expect(store.usage(["session", "agent"]).rows).toMatchObject([{ session: "scribe", agent: dialect, turns: 1 }]);
      expect(store.sessions.list({ archived: "any" }).sessions).toEqual([]);
    },
  );

  it("is unavailable until an agent is configured", async () => {
    const none = open(undefined);
    expect(none.available).toBe(false);
    expect(await none.ask("title", "[[say:x y]]", options)).toBeUndefined();
    expect(store.usage([]).total.turns).toBe(0);
  });

  it.each<[string, DialectName, string, FaultSpec[], RegExp]>([
    ["asks a question", "claude", "[[write]]", [], /asked a question/],
    ["fails", "scripted", "[[error:quota]]", [], /quota/],
    ["answers with too much text", "scripted", "[[long:500]]", [], /499 characters, at most 200/],
    ["crashes", "scripted", "[[text]]", ["crash-after-accept"], /no title: /],
    ["does not start", "scripted", "[[text]]", ["exit-at-once"], /code 1/],
    ["sends nothing", "scripted", "[[text]]", ["never-ready"], /timed out/],
    ["hangs", "scripted", "[[hang]]", [], /timed out/],
  ])("returns nothing when the agent %s, and leaves no process or folder", async (_, dialect, prompt, faults, why) => {
    const slow = /timed out/.test(why.source);
    const text = await open(dialect, dialect, faults, slow ? 1 : 30).ask("title", prompt, options);
    expect(text).toBeUndefined();
    expect(logged.join("\n")).toMatch(why);
    expect([store.processes.all(), left(), folders()]).toEqual([[], 0, []]);
  });

  it("returns nothing when its agent does not exist", async () => {
    expect(await open("missing").ask("title", "[[text]]", options)).toBeUndefined();
    expect(logged.join()).toContain("missing");
  });

  it("books the cost of a discarded text", async () => {
    await open("claude", "claude").ask("title", "[[long:500]]", options);
    expect(store.usage(["session"]).rows).toMatchObject([{ session: "scribe", turns: 1 }]);
    expect(store.usage([]).total.usage.output).toBeGreaterThan(0);
  });

  it("runs two requests at once and keeps only the newest waiting one per session and purpose", async () => {
    const one = open("scripted", "scripted", [], 20);
    const busy = [one.ask("brief", "[[hang]]", { ...options }), one.ask("brief", "[[hang]]", { ...options })];
    const old = one.ask("title", "[[say:old one]]", { ...options, session: "ses_1" });
    const other = one.ask("summary", "[[say:a summary]]", { ...options, session: "ses_1" });
    const fresh = one.ask("title", "[[say:new one]]", { ...options, session: "ses_1" });
    expect(await old).toBeUndefined();
    await expect.poll(() => store.processes.all().length, { timeout: 20_000 }).toBe(2);
    await one.stop();
    expect(await Promise.all([...busy, other, fresh])).toEqual([undefined, undefined, undefined, undefined]);
    expect(left()).toBe(0);
  });

  it("refuses the 21st waiting request", async () => {
    const one = open("scripted");
    const asked = Array.from({ length: 23 }, () => one.ask("title", "[[hang]]", options));
    await expect(asked.at(-1)).resolves.toBeUndefined();
    await one.stop();
    expect(await Promise.all(asked)).toEqual(asked.map(() => undefined));
  });

  it("opens the limit for all when it is refused, and sends nothing until the limit ends", async () => {
    const patient = { limits: { backoffSeconds: [3600], jitterSeconds: 0 } };
    const one = open("scripted", "scripted", [], 30, patient);
    expect(await one.ask("title", "[[error:rate_limit]]", options)).toBeUndefined();
    expect(limits.list()).toMatchObject([{ provider: "scripted", state: "open" }]);
    expect(store.records("limit").list()).toHaveLength(1);
    expect(one.available).toBe(false);
    expect(await one.ask("title", "[[say:Two terms]]", options)).toBeUndefined();
    expect(store.usage([]).total.turns).toBe(1);
  });

  it("probes when the limit's time has passed, and its answer closes the limit", async () => {
    const one = open("scripted", "scripted", [], 30, { limits: { backoffSeconds: [0.1], jitterSeconds: 0 } });
    await one.ask("title", "[[error:rate_limit]]", options);
    await expect.poll(() => one.available, { timeout: 20_000 }).toBe(true);
    expect(await one.ask("title", "[[say:Two terms]]", options)).toBe("Two terms");
    expect(limits.list()).toEqual([]);
  });

  it("sends nothing when the daily budget is exhausted", async () => {
    const one = open("scripted", "scripted", [], 30, { budgets: { dayUsd: 1 } });
    expect(one.available).toBe(true);
    const cost = { usd: 2, source: "agent" as const };
    store.book({ account: "scribe", at: new Date().toISOString(), agent: "scripted", cost });
    expect(one.available).toBe(false);
  });

  it("ends the request when it is aborted", async () => {
    const gone = new AbortController();
    const asked = open("scripted").ask("title", "[[hang]]", { ...options, signal: gone.signal });
    await expect.poll(() => store.processes.all().length, { timeout: 20_000 }).toBe(1);
    gone.abort();
    expect(await asked).toBeUndefined();
    expect(left()).toBe(0);
  });
});
