import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Config, loadConfig } from "../config.ts";
import { TestDaemon } from "../test-daemon.ts";
import { Settings } from "./settings.ts";

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-settings-"));
  path = join(home, "config.yml");
});
afterEach(() => rmSync(home, { recursive: true }));

const file = () => readFileSync(path, "utf8");

/** The settings of a daemon that was started with this file. */
function openSettings(text?: string): { settings: Settings; inForce: Config } {
  if (text !== undefined) writeFileSync(path, text);
  const inForce = loadConfig(home);
  return { settings: new Settings(home, inForce), inForce };
}

describe("the list", () => {
  it("has every setting, described, with its default and what the file makes of it", () => {
    const { settings } = openSettings("queueLimit: 3\nserver: { hosts: [box.example] }\n");
    const { settings: all, values, defaults, problems } = settings.list();
    expect(all.filter(({ description }) => description === "")).toEqual([]);
    expect(all.find(({ key }) => key === "queueLimit")).toEqual({
      key: "queueLimit",
      type: "number",
      description: expect.any(String),
      default: 10,
      value: 3,
      takesEffect: "now",
    });
    expect(all.find(({ key }) => key === "prompt.hints")).toMatchObject({
      type: "choice",
      options: ["auto", "always", "never"],
    });
    expect(all.find(({ key }) => key === "prompt.instructions")).toMatchObject({ type: "text" });
    expect(all.find(({ key }) => key === "server.hosts")).toMatchObject({
      type: "list",
      default: [],
      value: ["box.example"],
      takesEffect: "restart",
    });
    expect([values["deadlines.turnSeconds"], defaults["deadlines.turnSeconds"], problems]).toEqual([7200, 7200, []]);
  });

  it("returns the mistakes of an invalid file and the active settings", () => {
    const { settings } = openSettings("queueLimit: 3\n");
    writeFileSync(path, "queueLimit: many\n\ncolour: blue\n");
    const { problems, values } = settings.list();
    expect(problems.map(({ line }) => line)).toEqual([1, 3]);
    expect(values.queueLimit).toBe(3);
    expect(() => settings.change({ queueLimit: 5 })).toThrow(
      expect.objectContaining({ code: "conflict", details: problems }),
    );
    expect(file()).toBe("queueLimit: many\n\ncolour: blue\n");
  });
});

describe("a change", () => {
  const TEXT = "# mine\ndeadlines:\n  turnSeconds: 60 # short\n  stopSeconds: 1\nqueueLimit: 3\n";

  it("is written to the file and applied, and changes nothing else", () => {
    const { settings, inForce } = openSettings(TEXT);
    const { applied } = settings.change({ "deadlines.turnSeconds": 90, "server.bodyMb": 5, "prompt.hints": "never" });
    expect(applied).toEqual([
      { key: "deadlines.turnSeconds", takesEffect: "now" },
      { key: "prompt.hints", takesEffect: "now" },
      { key: "server.bodyMb", takesEffect: "restart" },
    ]);
    expect(file()).toBe(
      "# mine\ndeadlines:\n  turnSeconds: 90 # short\n  stopSeconds: 1\nqueueLimit: 3\nserver:\n  bodyMb: 5\nprompt:\n  hints: never\n",
    );
    expect([inForce.deadlines.turnSeconds, inForce.prompt.hints, inForce.server.bodyMb]).toEqual([90, "never", 20]);
    expect(loadConfig(home).server.bodyMb).toBe(5);
  });

  it("back to the default takes the entry away, and what held it when that was the last", () => {
    const { settings, inForce } = openSettings(TEXT);
    settings.change({ "deadlines.turnSeconds": null, queueLimit: null, idleSeconds: null });
    expect(file()).toBe("# mine\ndeadlines:\n  stopSeconds: 1\n");
    expect(inForce.queueLimit).toBe(10);
    settings.change({ "deadlines.stopSeconds": null });
    expect(loadConfig(home)).toEqual(Config.parse({}));
  });

  it("makes the file where there is none", () => {
    const { settings } = openSettings();
    settings.change({ "server.hosts": ["a.example", "b.example"] });
    expect(loadConfig(home).server.hosts).toEqual(["a.example", "b.example"]);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["what is no setting", { queueLimit: 4, colour: "blue" }, /colour: is not a setting/],
    ["a whole part", { deadlines: "x" }, /deadlines: is not a setting/],
    ["a prototype", { "__proto__.polluted": 1 }, /is not a setting/],
    ["a wrong type", { queueLimit: "many" }, /queueLimit: /],
    ["a value out of range", { queueLimit: 4, "deadlines.turnSeconds": -1 }, /deadlines\.turnSeconds: /],
    ["a choice that is none", { "prompt.hints": "sometimes" }, /prompt\.hints: /],
  ])("to %s is refused whole", (_, changes, message) => {
    const { settings, inForce } = openSettings(TEXT);
    const before = structuredClone(inForce);
    const attempt = () => settings.change(changes as Parameters<Settings["change"]>[0]);
    expect(attempt).toThrow(expect.objectContaining({ code: "invalid", message: expect.stringMatching(message) }));
    expect([file(), inForce, readdirSync(home)]).toEqual([TEXT, before, ["config.yml"]]);
  });
});

it("a running daemon goes by what was changed", async () => {
  const daemon = await new TestDaemon().start();
  try {
    const { id } = await daemon.session("scripted", "[[hang]] for ever");
    const queue = (text: string) => daemon.client.sessions.send(id, { text, delivery: "queue" });
    const { settings } = await daemon.client.settings.change({ queueLimit: 1 });
    expect(settings.values.queueLimit).toBe(1);
    await queue("one");
    await expect(queue("two")).rejects.toMatchObject({ code: "queue_full" });
    await daemon.client.settings.change({ queueLimit: null });
    await queue("two");
    expect((await daemon.client.settings.get()).values.queueLimit).toBe(10);
    await expect(daemon.client.settings.change({})).rejects.toMatchObject({ code: "invalid" });
    expect(existsSync(join(daemon.home, "gantry", "config.yml"))).toBe(true);
    await daemon.client.sessions.interrupt(id, "clear");
  } finally {
    await daemon.dispose();
  }
});
