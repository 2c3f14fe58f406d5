import { describe, expect, it } from "vitest";
import { checkSettings, DEFAULT_SETTINGS } from "./settings-file.ts";

const check = (text: string) => checkSettings("config.yml", text);

describe("providers in config.yml", () => {
  it.each([
    ["kimiApiFormat", ["openai", "anthropic"]],
    ["openaiWebsockets", ["auto", "off", "on"]],
    ["webSearch", ["auto", "duckduckgo", "searxng"]],
    ["image", ["auto", "openai", "antigravity"]],
    ["parallelFetch", ["true", "false"]],
  ])("accepts every value of %s, nested and with a dot", (key, values) => {
    for (const value of values) {
      expect(check(`providers:\n  ${key}: ${value}\n`).problems).toEqual([]);
      expect(check(`providers.${key}: ${value}\n`).problems).toEqual([]);
    }
  });

  it("applies the values that concern models", () => {
    const nested = check("providers:\n  openaiWebsockets: off\n  kimiApiFormat: openai\n");
    const dotted = check("providers.openaiWebsockets: off\nproviders.kimiApiFormat: openai\n");
    expect(nested.settings).toEqual({ ...DEFAULT_SETTINGS, openaiWebsockets: "off", kimiApiFormat: "openai" });
    expect(dotted).toEqual(nested);
  });

  it.each([
    ["an unknown key", "providers:\n  openaiWebsocket: on\n", 2, 3, /Did you mean "openaiWebsockets"/],
    ["an unknown value", "# mine\nproviders:\n  openaiWebsockets: maybe\n", 3, 21, /one of/],
    ["an unknown value after a dot", "\nproviders.openaiWebsockets: true\n", 2, 29, /one of/],
    ["an unknown key after a dot", "\nproviders.colour: red\n", 2, 1, /Unknown key "colour"/],
    ["a number for a switch", "providers: { parallelFetch: 1 }\n", 1, 29, /boolean/],
    ["a list", "providers:\n  - openai\n", 2, 3, /object/],
  ])("reports %s with its line and column", (_, text, line, column, message) => {
    const { problems, settings } = check(text);
    expect(problems).toMatchObject([{ file: "config.yml", line, column, path: expect.stringMatching(/^providers/) }]);
    expect(problems[0]?.message).toMatch(message);
    expect(settings).toEqual(DEFAULT_SETTINGS);
  });

  it("keeps the valid keys of a section that has a mistake", () => {
    const { problems, settings } = check("providers:\n  openaiWebsockets: on\n  kimiApiFormat: latin\n  more: 1\n");
    expect(problems.map(({ line }) => line)).toEqual([3, 4]);
    expect(settings).toMatchObject({ openaiWebsockets: "on", kimiApiFormat: "anthropic" });
  });
});
