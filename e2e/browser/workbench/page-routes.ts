import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const WEB = join(import.meta.dirname, "../../../packages/web/src");

/**
 * An address for every route of the page and every tab of the settings, read from the sources, so that a new view is covered.
 * `examples` replaces the parameters of paths such as `/s/:id`; a path without an example throws.
 */
export function listAddresses(examples: Record<string, readonly string[]>): string[] {
  const files = globSync("*/feature.tsx", { cwd: WEB }).toSorted();
  const paths = files.flatMap((file) => matchAll(join(WEB, file), /\bpath: "([^"]+)"/g));
  if (paths.length < files.length / 2) throw new Error("The routes of the page were not found.");
  const tabs = matchAll(join(WEB, "settings/settings.tsx"), /\{ id: "([^"]+)", name:/g);
  const settings = tabs.map((tab) => `/settings?tab=${tab}`);
  const plain = paths.flatMap((path) => {
    if (!path.includes(":") && examples[path] === undefined) return path;
    const filled = examples[path];
    if (!filled) throw new Error(`${path} needs an example in this test.`);
    return filled;
  });
  return [...plain, ...settings];
}

function matchAll(path: string, pattern: RegExp): string[] {
  return [...readFileSync(path, "utf8").matchAll(pattern)].map(([, found = ""]) => found);
}
