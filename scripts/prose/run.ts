// Rejects discouraged phrases (phrases.ts) in code and documents, and text of the page that breaks a rule (interface.ts). `npm run check` runs it; paths as arguments narrow it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.ts";
import { type Finding, findPhrases } from "./find.ts";
import { findInterfaceText } from "./interface.ts";

/** Components of the page. */
const PAGE = /^packages\/web\/src\/.*\.tsx$/;
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
  for (const { line, phrase, instead } of findAll(path)) {
    found++;
    process.stdout.write(`${path}:${line}: "${phrase}"; write: ${instead}\n`);
  }
}

function findAll(path: string): Finding[] {
  const text = readFileSync(join(root, path), "utf8");
  return PAGE.test(path) ? [...findPhrases(text), ...findInterfaceText(text)] : findPhrases(text);
}

process.exit(found > 0 ? 1 : 0);
