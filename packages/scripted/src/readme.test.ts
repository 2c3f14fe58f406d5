import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { faultTable } from "./agent/faults.ts";
import { agentScenarios } from "./agent/script/script.ts";
import { scenarios } from "./model/scenarios.ts";

const readme = readFileSync(join(dirname(fileURLToPath(import.meta.url)), "..", "README.md"), "utf8");
const section = (title: string) => readme.split(/^## /m).find((part) => part.startsWith(title)) ?? "";

test("the README lists every scenario of the model", () => {
  const named = Object.keys(scenarios).filter((name) => !name.endsWith("once"));
  for (const name of named) expect(section("Scripted model")).toMatch(new RegExp(`\`${name}[:\`]`));
});

test("the README lists every scenario and every fault of the agent", () => {
  for (const name of Object.keys(agentScenarios))
    expect(section("Scripted agent")).toMatch(new RegExp(`\`${name}[:\`]`));
  for (const [name, row] of Object.entries(faultTable)) {
    const argument = "argument" in row ? `${row.argument} ` : "";
    expect(section("Scripted agent")).toContain(`| \`${name}\` | ${row.about} | ${argument}|`);
  }
});
