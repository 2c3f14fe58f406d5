import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A small project in a temporary folder. `diff` is what has changed since it was made; empty without git. */
export type Project = { folder: string; git: boolean; diff(): string };

const FILES: Record<string, string> = {
  "README.md": `# Parcel rates

Computes what it costs to send a parcel.

    node --test
`,
  "package.json": `{
  "name": "parcel-rates",
  "version": "1.0.0",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  "src/rates.js": `const ZONES = { home: 4.5, near: 7.9, far: 14.2 };

/** Price of a parcel in euros. */
export function rate(zone, kilograms) {
  const base = ZONES[zone];
  if (base === undefined) throw new Error(\`unknown zone \${zone}\`);
  return base + Math.max(0, Math.ceil(kilograms) - 2) * 1.1;
}
`,
  "test/rates.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { rate } from "../src/rates.js";

test("two kilograms are included", () => {
  assert.equal(rate("home", 2), 4.5);
});
`,
};

/** Writes the project and commits it, where git is there. */
export function makeProject(): Project {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "gantry-demo-")));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const git = (...args: string[]) => spawnSync("git", args, { cwd: folder, encoding: "utf8", timeout: 15_000 });
  const author = ["-c", "user.name=Gantry demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"];
  const made =
    git("init", "--quiet", "--initial-branch=main").status === 0 &&
    git("add", "--all").status === 0 &&
    git(...author, "commit", "--quiet", "--no-verify", "--message=Parcel rates").status === 0;
  return {
    folder,
    git: made,
    diff: () => {
      if (!made) return "";
      git("add", "--all", "--intent-to-add");
      return git("diff", "--no-color", "--no-ext-diff").stdout;
    },
  };
}
