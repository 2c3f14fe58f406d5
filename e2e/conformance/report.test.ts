import { describe, expect, it } from "vitest";
import type { Target } from "../targets/target.ts";
import { driftOf, packageIn, releasesBetween } from "./latest-versions.ts";
import type { Cell } from "./matrix.ts";
import { compatibilityTable } from "./report.ts";
import type { Scenario } from "./scenario.ts";

const scenario = (name: string): Scenario => ({ name, title: `Title of ${name}`, run: async () => undefined });
const [one, two] = [scenario("one"), scenario("two")];
const groups = [{ title: "Group", scenarios: [one, two] }];

const target = (agent: string, version: string, more: Partial<Target> = {}): Target => ({
  agent,
  version,
  name: `${agent.toUpperCase()} ${version}`,
  keyVariables: [],
  otherModel: "x",
  questionMode: "ask",
  outputLimit: 1,
  awaitsSubagents: true,
  cannot: { two: "It does not support two." },
  ...more,
});

const cell = (own: Target, of: Scenario, result: Cell["result"], problem?: string): Cell => ({
  target: own,
  scenario: of,
  result,
  seconds: 1,
  ...(problem ? { problem } : {}),
});

describe("the newest version", () => {
  it("is a release for this platform between the pinned and the released one", () => {
    const listed = ["0.9.0", "0.10.0-alpha.1", "0.10.0-linux-x64", "0.10.0-darwin-x64", "0.9.2-linux-x64", "0.11.0"];
    expect(releasesBetween("0.9.0", "0.10.0", listed, "-linux-x64")).toEqual(["0.10.0", "0.9.2"]);
    expect(releasesBetween("0.9.0", "0.9.9", listed, "-linux-x64")).toEqual(["0.9.2"]);
    expect(releasesBetween("0.9.0", "1.0.0", listed, "")).toEqual(["0.11.0"]);
    expect(releasesBetween("0.11.0", "1.0.0", listed, "")).toEqual([]);
    expect(releasesBetween("0.1.0", "0.2.0", "0.2.0", "")).toEqual(["0.2.0"]);
  });

  it("is looked up by the package that is installed", () => {
    expect(packageIn("@kilocode/cli-linux-x64@0.0.0")).toEqual({ name: "@kilocode/cli-linux-x64", suffix: "" });
    expect(packageIn("codex-native@npm:@openai/codex@0.0.0-linux-x64")).toEqual({
      name: "@openai/codex",
      suffix: "-linux-x64",
    });
  });
});

describe("the table", () => {
  const [newer, older] = [target("alpha", "2.0.0"), target("alpha", "1.0.0")];
  const fake = target("beta", "3", { fake: { from: "its documentation", write: () => "" } });
  const cells = [
    cell(newer, one, "works"),
    cell(older, one, "broken", "a check\n  that failed"),
    cell(fake, one, "works"),
    cell(newer, two, "cannot"),
  ];
  const table = compatibilityTable(cells, groups, [newer, older, fake]);

  it("has short column heads, with a number for further versions, and marks fakes", () => {
    expect(table).toContain("|  | alpha | alpha (2) | beta (fake) |");
    expect(table).toContain("| Title of one | ✓ | ✗ | ✓ |\n| Title of two | – |  |  |");
    expect(table).toContain("| beta (fake) | BETA 3 | a fake | 1 | 0 | 0 |");
    expect(table).toContain("| alpha (2) | ALPHA 1.0.0 | the vendor's | 0 | 0 | 1 |");
    expect(table).toContain("## Fakes");
    expect(table).toContain("- beta (fake): its documentation");
  });

  it("marks a vendor's program that runs against a fake service", () => {
    const served = target("gamma", "1.0.0", { fakeService: true });
    const small = compatibilityTable([cell(served, one, "works")], groups, [served]);
    expect(small).toContain("| gamma | GAMMA 1.0.0 | the vendor's, with a fake service | 1 | 0 | 0 |");
  });

  it("gives the reason for every cell that is unsupported or broken", () => {
    expect(table).toContain("- ALPHA 2.0.0, Title of two: It does not support two.");
    expect(table).toContain("- ALPHA 1.0.0, Title of one: a check that failed");
  });

  it("omits cells of targets without a column, and the section on fakes if there are none", () => {
    const small = compatibilityTable(cells, groups, [newer]);
    expect(small).not.toContain("ALPHA 1.0.0");
    expect(small).not.toContain("## Fakes");
    expect(small).toContain("No known failures.");
  });
});

it("reports as drift only results that differ with the newest version", () => {
  const [pinned, latest] = [target("alpha", "1.0.0"), target("alpha", "2.0.0")];
  const cells = [
    cell(pinned, one, "works"),
    cell(latest, one, "broken", "no output"),
    cell(pinned, two, "cannot"),
    cell(latest, two, "cannot"),
  ];
  expect(driftOf(cells, [{ pinned, latest }])).toEqual(["ALPHA 2.0.0, one: broken; with 1.0.0: works: no output"]);
});
