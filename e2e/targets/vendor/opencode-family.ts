import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "../target.ts";

/** The part that OpenCode and its forks share; `name` is the name of their folders and files. */
export function openCodeFamily(name: string) {
  return {
    keyVariables: [],
    withoutKey(home) {
      const path = join(home, ".config", name, `${name}.json`);
      writeFileSync(path, readFileSync(path, "utf8").replace(/"sk-scripted-[^"]*"/, '""'));
    },
    forget: (home) => rmSync(join(home, ".local", "share", name), { recursive: true, force: true }),
    otherModel: "scripted/scripted-other",
    otherModelServed: "scripted-other",
    questionMode: "ask",
    outputLimit: 40_000,
    awaitsSubagents: true,
    lists: true,
  } satisfies Partial<Target>;
}
