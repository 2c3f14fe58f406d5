// Rejects discouraged phrases (phrases.ts) in code and documents. `npm run check` runs it; paths as arguments narrow it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.ts";
import { findPhrases } from "./find.ts";

const READ = /\.(tsx?|mjs|md)$/;
/** Recordings and generated files hold other people's text; the lists of words to avoid hold the words themselves. */
const SKIPPED = /(^|\/)fixtures\/|\.gen\.|^scripts\/prose\/|^GLOSSARY\.md$/;

const tracked = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...process.argv.slice(2)],
  {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  },
);
const files = tracked
  .split("\n")
  .filter((path) => READ.test(path) && !SKIPPED.test(path) && existsSync(join(root, path)));
let found = 0;
for (const path of files) {
  for (const { line, phrase, instead } of findPhrases(readFileSync(join(root, path), "utf8"))) {
    found++;
    process.stdout.write(`${path}:${line}: "${phrase}"; write: ${instead}\n`);
  }
}
process.exit(found > 0 ? 1 : 0);
