// Writes the files that are generated from the code: `npm run generate`. With `--check` it writes nothing and fails if one
// of them is out of date. Data from npm packages has separate generators: catalogue.ts and prices.ts.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { generatedFiles } from "../packages/protocol/src/api/generated-files.ts";

const root = dirname(import.meta.dirname);
const check = process.argv.includes("--check");
const files = generatedFiles().map(({ path, text }) => ({ path: join(root, "packages/protocol", path), text }));
const stale = files.filter(({ path, text }) => readCurrent(path) !== text);

for (const { path, text } of check ? [] : stale) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
for (const { path } of stale) console.log(`${check ? "out of date" : "written"}: ${relative(root, path)}`);
if (check && stale.length > 0) {
  console.error("Run `npm run generate` and review the changes.");
  process.exit(1);
}

function readCurrent(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
