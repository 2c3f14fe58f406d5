import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ConfigError, parseYaml } from "../config.ts";

const Anything = z.record(z.string(), z.unknown());
const parse = (text: string) => parseYaml("/home/x/config.yml", text, Anything);

describe("parseYaml", () => {
  const bomb = (levels: number) =>
    ["a0: &a0 [x,x,x,x,x,x,x,x,x]"]
      .concat(Array.from({ length: levels }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(",")}]`))
      .join("\n");

  it.each([3, 8, 20])("refuses an alias bomb of %i levels and names file and line", (levels) => {
    expect(() => parse(bomb(levels))).toThrow(/^\/home\/x\/config\.yml:2: Too many aliases/);
    expect(() => parse(bomb(levels))).toThrow(ConfigError);
  });

  it("refuses an alias that names nothing", () => {
    expect(() => parse("a: 1\nb: *none\n")).toThrow(/config\.yml/);
    expect(() => parse("a: 1\nb: *none\n")).toThrow(ConfigError);
  });

  it("expands the aliases that a person writes", () => {
    expect(parse("base: &base { model: x }\none: *base\ntwo: { <<: *base }\n")).toMatchObject({ one: { model: "x" } });
  });
});
