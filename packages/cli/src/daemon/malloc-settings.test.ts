import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { dropMallocSettings, MALLOC_SETTINGS } from "./malloc-settings.ts";

const root = join(import.meta.dirname, "../../../..");

it.each(["gantry", "scripts/bootstrap.mjs", "scripts/pack/command.ts"])(
  "%s starts the daemon with the same settings",
  (path) => {
    const text = readFileSync(join(root, path), "utf8");
    for (const [name, value] of Object.entries(MALLOC_SETTINGS))
      expect(text).toMatch(new RegExp(`${name}(=|: ")${value}\\b`));
  },
);

it("removes only its own values from an environment", () => {
  const env = { ...MALLOC_SETTINGS, HOME: "/home/a" };
  dropMallocSettings(env);
  expect(env).toEqual({ HOME: "/home/a" });
  const chosen = { MALLOC_MMAP_THRESHOLD_: "1000000" };
  dropMallocSettings(chosen);
  expect(chosen).toEqual({ MALLOC_MMAP_THRESHOLD_: "1000000" });
});
