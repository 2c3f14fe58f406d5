import { describe, expect, it } from "vitest";
import { builtInAgents } from "../registry.ts";
import { isAtLeast } from "./fallback.ts";
import { versionProblem, versionRange } from "./version-range.ts";

const opencode = builtInAgents.find(({ id }) => id === "opencode");
if (!opencode) throw new Error("no opencode");
const agent = { ...opencode, versions: { oldest: "1.3", newest: "1.18.33" } };

describe("the range of supported versions", () => {
  it.each([
    ["1.2.27", "older"],
    ["0.99.0", "older"],
    ["1.3.0", "supported"],
    ["1.3.0-beta.1", "supported"],
    ["opencode 1.14.41", "supported"],
    ["1.18.33", "supported"],
    ["1.18.34", "newer"],
    ["2.0.0", "newer"],
  ])("classifies %s as %s", (version, fit) => {
    expect(versionRange(agent, version)).toEqual({ oldest: "1.3", newest: "1.18.33", fit });
  });

  it("reports nothing about an unknown version", () => {
    for (const version of [undefined, "", "unknown"]) {
      expect(versionRange(agent, version)).toEqual(agent.versions);
      expect(versionProblem(agent, version)).toBeUndefined();
    }
    expect(versionRange({ ...agent, versions: undefined }, "1.0.0")).toBeUndefined();
  });

  it("names the found and the supported versions and the fix for one that is too old, and only for that", () => {
    expect(versionProblem(agent, "1.2.27")).toEqual({
      code: "version_unsupported",
      message: expect.stringMatching(/^OpenCode 1\.2\.27 is older than 1\.3, the oldest supported version\./),
      fix: expect.stringMatching(/^Update it: `.+`\. Versions 1\.3 to 1\.18\.33 are tested\.$/),
    });
    expect(versionProblem(agent, "1.3.0")).toBeUndefined();
    expect(versionProblem(agent, "9.0.0")).toBeUndefined();
  });

  it.each([
    ["claude", "2.1.118"],
    ["codex", "0.130.0"],
    ["opencode", "1.3.0"],
    ["pi", "0.75.0"],
    ["pi", "1.5.0"],
    ["qwen", "0.15.0"],
    ["gemini", "0.41.0"],
    ["copilot", "1.0.85"],
    ["kimi", "0.43.0"],
    ["kilo", "7.7.0"],
  ])("of %s includes %s", (id, version) => {
    const known = builtInAgents.find((one) => one.id === id);
    expect(known && versionRange(known, version)?.fit).toBe("supported");
  });

  it("is stated for every tested agent, in the right order", () => {
    const own = builtInAgents.filter(({ find, builtin, demo }) => find.bin.length > 0 && !builtin && !demo);
    // Adapters, and a program that no test here can run.
    const untested = ["claude-agent-acp", "codex-acp", "junie"];
    expect(own.filter(({ id, versions }) => !versions && !untested.includes(id)).map(({ id }) => id)).toEqual([]);
    for (const { versions } of own) if (versions) expect(isAtLeast(versions.newest, versions.oldest)).toBe(true);
  });
});
