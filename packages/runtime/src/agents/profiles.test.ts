import { AgentRow } from "@gantry/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TestMachine, testAgent } from "./finding/testing/machine.ts";
import { checkProfile, loadProfiles } from "./profiles.ts";

const base = testAgent("base", { modes: { ask: "asks", "full-auto": "asks nothing" } });
let machine: TestMachine;

beforeEach(() => {
  machine = new TestMachine();
});
afterEach(() => machine.remove());

function load(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) machine.file(`home/agents/${name}`, text);
  return loadProfiles(machine.home, [base], [{ ...base, id: "bare" }]);
}

/** The errors of one file, each as `line: message`. */
function mistakes(text: string, name = "mine.yml"): string[] {
  const { entries, broken } = load({ [name]: text });
  expect(entries).toEqual([]);
  expect(broken).toHaveLength(1);
  const row = AgentRow.parse(broken[0]);
  expect(row).toMatchObject({ state: "broken", problems: [{ code: "profile_invalid" }] });
  expect(row.problems[0]?.fix).toContain(`agents/${name}`);
  const prefix = `${machine.home}/agents/${name}:`;
  return (row.problems[0]?.message ?? "").split("\n").map((line) => line.replace(prefix, ""));
}

describe("a valid profile", () => {
  it("overrides command, environment, modes and models of the base agent", () => {
    const { entries, broken } = load({
      "mine.yml": [
        "# a comment",
        "id: mine",
        "name: My agent",
        "extends: base",
        "command: [wrapper, --flag, value]",
        "env:",
        "  SOME_URL: http://127.0.0.1:9",
        "modes: [ask]",
        "models:",
        "  - plain-model",
        "  - { id: big, name: The big one, default: true, efforts: [low, high] }",
      ].join("\n"),
    });
    expect(broken).toEqual([]);
    const [entry] = entries;
    expect(entry?.agent).toMatchObject({
      id: "mine",
      name: "My agent",
      provider: base.provider,
      modes: { ask: "asks" },
    });
    expect(entry?.agent.modes).toEqual({ ask: "asks" });
    expect(entry?.agent.channels).toBe(base.channels);
    expect(entry?.agent.fallbackModels).toEqual([
      { id: "plain-model", name: "plain-model", default: false, efforts: [] },
      { id: "big", name: "The big one", default: true, efforts: ["low", "high"] },
    ]);
    expect(entry?.own).toEqual({ command: ["wrapper", "--flag", "value"], source: `${machine.home}/agents/mine.yml` });
    expect(entry?.env).toEqual({ SOME_URL: "http://127.0.0.1:9" });
  });

  it("requires only id and extends", () => {
    const { entries } = load({ "mine.yml": "id: mine\nextends: base\n" });
    expect(entries[0]).toMatchObject({
      agent: { id: "mine", name: "mine", find: base.find, modes: base.modes },
      env: {},
    });
    expect(entries[0]?.own).toBeUndefined();
  });
});

describe("reports the line of an error:", () => {
  const cases: [what: string, text: string, expected: RegExp][] = [
    ["an unknown key", "id: mine\nextends: base\n\ncolour: blue\n", /^4: colour: Unrecognized key/],
    [
      "another id than the file's name",
      "# mine\nid: other\nextends: base\n",
      /^2: id: must be mine, the name of the file/,
    ],
    ["an id that is none", "extends: base\nid: Not An Id\n", /^2: id: must be an agent id/],
    ["no id", "extends: base\n", /^1: id: /],
    ["no extends", "id: mine\n", /^1: extends: /],
    ["an unknown base", "id: mine\nname: Mine\nextends: nothing\n", /^3: extends: must be one of base, bare/],
    ["a base without a program", "id: mine\nextends: bare\n", /^2: extends: bare has no program/],
    ["a command that is no list", "id: mine\nextends: base\ncommand: wrapper --flag\n", /^3: command: /],
    ["an empty command", "id: mine\nextends: base\ncommand: []\n", /^3: command: /],
    ["a part of the command", "id: mine\nextends: base\ncommand:\n  - ok\n  - 7\n", /^5: command\.1: /],
    ["a variable's name", "id: mine\nextends: base\nenv:\n  GOOD: x\n  bad-name: y\n", /^5: env\.bad-name: /],
    ["a variable of Gantry's", "id: mine\nextends: base\nenv:\n  GANTRY_HOME: /x\n", /^4: env\.GANTRY_HOME: /],
    ["a variable's value", "id: mine\nextends: base\nenv:\n  PORT: 7\n", /^4: env\.PORT: /],
    ["a mode that does not exist", "id: mine\nextends: base\nmodes:\n  - ask\n  - yolo\n", /^5: modes\.1: /],
    [
      "a mode that the base lacks",
      "id: mine\nextends: base\nmodes: [ask,\n  plan]\n",
      /^4: modes\.1: base has no mode plan/,
    ],
    [
      "a model's id",
      "id: mine\nextends: base\nmodels:\n  - good\n  - bad model\n",
      /^5: models\.1: must be a model id/,
    ],
    ["a list in place of the file", "- id: mine\n", /^1: the file: /],
  ];

  it.each(cases)("%s", (_, text, expected) => {
    expect(mistakes(text)[0]).toMatch(expected);
  });

  it("broken YAML", () => {
    expect(mistakes("id: mine\nextends: base\ncommand: [a, b\nname: x\n")[0]).toMatch(/line [34]/);
  });

  it("an empty file", () => {
    expect(mistakes("")).toEqual([expect.stringMatching(/^1: id: /), expect.stringMatching(/^1: extends: /)]);
  });

  it("several at once", () => {
    const found = mistakes("id: mine\nextends: base\ncommand: 7\nmodes: ask\n");
    expect(found).toEqual([expect.stringMatching(/^3: command/), expect.stringMatching(/^4: modes/)]);
  });
});

describe("an invalid file", () => {
  it("cannot replace a built-in agent", () => {
    expect(mistakes("extends: base\nid: base\n", "base.yml")[0]).toMatch(/^2: id: base is a built-in agent/);
    expect(loadProfiles(machine.home, [base]).broken[0]?.id).toBe("profile-base");
  });

  it("whose name is not a valid id still gets a row", () => {
    const { broken } = load({ "My Agent!.yml": "id: x\nextends: base\n" });
    expect(AgentRow.parse(broken[0]).id).toBe("profile-my-agent-");
  });

  it("does not affect other profiles", () => {
    const { entries, broken } = load({
      "a-bad.yml": "id: [",
      "good.yml": "id: good\nextends: base\n",
      "notes.txt": "not a profile",
    });
    expect(entries.map(({ agent }) => agent.id)).toEqual(["good"]);
    expect(broken.map(({ id }) => id)).toEqual(["a-bad"]);
  });

  it("with a duplicate id is reported, for both file extensions", () => {
    const { entries, broken } = load({
      "mine.yaml": "id: mine\nextends: base\n",
      "mine.yml": "id: mine\nextends: base\n",
    });
    expect(entries.map(({ agent }) => agent.id)).toEqual(["mine"]);
    expect(broken[0]?.id).toBe("profile-mine");
    expect(broken[0]?.problems[0]?.message).toMatch(/mine\.yml:1: id: another profile already has the id mine$/);
  });

  it("with a duplicate key is reported with its line", () => {
    expect(mistakes("id: mine\nextends: base\nname: a\nname: b\n")[0]).toMatch(/unique[\s\S]*line 4/);
  });

  it("that is a folder is reported", () => {
    const { broken } = load({ "folder.yml/inside": "x" });
    expect(broken[0]?.problems[0]?.message).toContain("cannot be read");
  });
});

it("returns no profiles without a folder", () => {
  expect(loadProfiles("/nowhere", [base])).toEqual({ entries: [], broken: [] });
});

describe("a profile of a program that prints text", () => {
  const bases = [{ ...base, id: "bare", argumentChannels: [] as const }];

  it("chooses how the program gets the prompt, where the base allows it", () => {
    machine.file("home/agents/mine.yml", "id: mine\nextends: bare\ncommand: [x]\nprompt: argument\n");
    expect(loadProfiles(machine.home, [base], bases).entries[0]?.agent.channels).toEqual([]);
    expect(mistakes("id: mine\nextends: base\nprompt: argument\n")).toEqual([
      expect.stringMatching(/^3: prompt: base has its own way/),
    ]);
  });
});

it("gives the other program of an agent no mode above those of the profile", () => {
  const text = "id: mine\nextends: two\nmodes: [ask]\n";
  const otherwise = { ...base, modes: { plan: "reads", "full-auto": "everything" } };
  const two = { ...base, id: "two", modes: { ask: "asks" }, otherwise };
  const { agent } = checkProfile(`${machine.home}/agents/mine.yml`, text, [two], []);
  expect(agent.modes).toEqual({ ask: "asks" });
  expect(agent.otherwise?.modes).toEqual({ plan: "reads" });
});
