import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

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

const AUTHOR = ["-c", "user.name=Gantry demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"];

/** Writes a small project into a temporary folder and commits it; without git it stays a plain folder. */
export async function makeProject(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "gantry-demo-")));
  for (const [path, content] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  try {
    await git(folder, "init", "--quiet", "--initial-branch=main");
    await git(folder, "add", "--all");
    await git(folder, ...AUTHOR, "commit", "--quiet", "--no-verify", "--message=Parcel rates");
  } catch {
    // There is no git here, or it does not want to.
  }
  return folder;
}

/** What has changed in a project since it was made, as a unified diff. `undefined` without git. */
export async function projectDiff(folder: string): Promise<string | undefined> {
  try {
    await git(folder, "add", "--all", "--intent-to-add");
    return await git(folder, "diff", "--no-color", "--no-ext-diff");
  } catch {
    return undefined;
  }
}

async function git(cwd: string, ...args: string[]): Promise<string> {
  return (await run("git", args, { cwd, timeout: 15_000 })).stdout;
}
