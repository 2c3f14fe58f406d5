// `npm run release -- <version> [--dry-run]`: sets the version of all packages and of the lock file, dates the section of the
// changelog, commits and tags. Refuses a work tree with changes. Pushing the tag publishes (.github/workflows/publish.yml).
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dateChangelog, isVersion, setLockVersion, setVersion } from "./pack/release.ts";
import { root } from "./steps.ts";

const { values, positionals } = parseArgs({ options: { "dry-run": { type: "boolean" } }, allowPositionals: true });
const [version = ""] = positionals;
if (!isVersion(version)) fail("usage: npm run release -- <version> [--dry-run], with a version such as 1.2.3", 2);
const tag = `v${version}`;
if (git("status", "--porcelain") !== "") fail("The work tree has changes. Commit or remove them first.", 3);
if (git("tag", "--list", tag) !== "") fail(`The tag ${tag} exists already.`, 3);

const names = new Set([
  "package.json",
  ...readdirSync(join(root, "packages")).map((each) => `packages/${each}/package.json`),
]);
const edits = new Map<string, string>();
for (const path of names) edits.set(path, setVersion(read(path), version));
edits.set("package-lock.json", setLockVersion(read("package-lock.json"), version));
try {
  edits.set("CHANGELOG.md", dateChangelog(read("CHANGELOG.md"), version, new Date().toISOString().slice(0, 10)));
} catch (error) {
  fail((error as Error).message, 3);
}
const changed = [...edits].filter(([path, text]) => text !== read(path));
const verb = values["dry-run"] ? "would change" : "changed";
for (const [path] of changed) process.stdout.write(`${verb} ${path}\n`);
if (values["dry-run"]) process.stdout.write(`would commit and tag ${tag}; nothing was changed\n`);
else {
  for (const [path, text] of changed) writeFileSync(join(root, path), text);
  git("add", "--", ...changed.map(([path]) => path));
  git("commit", "--quiet", "--message", `release: ${version}`);
  git("tag", "--annotate", tag, "--message", `Gantry ${version}`);
  process.stdout.write(`Committed and tagged ${tag}. To publish: git push --follow-tags\n`);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function git(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) fail(`git ${args[0]} failed: ${stderr.trim()}`, 3);
  return stdout.trim();
}

function fail(text: string, code: number): never {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}
