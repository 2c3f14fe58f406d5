// The rules of the tree that no other tool knows: direction of imports, cycles, sizes, and agents that stay nameless
// outside their folder. `npm run check` runs it.
import { findCycles } from "./cycles.ts";
import { checkFunctions } from "./functions.ts";
import { checkFolderLists, checkImports } from "./imports.ts";
import { checkSizes } from "./sizes.ts";
import { readSources, type Source } from "./sources.ts";

const AGENT_NAMES = /\b(claude|codex|gemini|opencode|cursor-agent|qwen|kimi|droid|copilot|hermes)\b/i;
const NAMELESS = ["session", "handoff", "limits", "hub", "log", "server"].map(
  (folder) => `packages/runtime/src/${folder}/`,
);
NAMELESS.push("packages/web/src/");

const sources = readSources(["packages", "e2e", "bench", "scripts"]);
const problems = [
  ...checkImports(sources),
  ...checkFolderLists(sources),
  ...findCycles(sources),
  ...checkSizes(sources),
  ...checkFunctions(sources),
  ...sources.flatMap(checkAgentNames),
];
process.stdout.write(problems.map((problem) => `${problem}\n`).join(""));
process.exit(problems.length > 0 ? 1 : 0);

function checkAgentNames({ path, text, isTest }: Source): string[] {
  const name = !isTest && NAMELESS.some((folder) => path.startsWith(folder)) && AGENT_NAMES.exec(text)?.[0];
  return name ? [`${path}: names an agent (${name}); only agents/<agent>/ does`] : [];
}
