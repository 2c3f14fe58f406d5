// The rules of the tree that no other tool knows: who may import whom, that no agent is named outside its folder, and
// how long a file may be.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { root } from "./steps.ts";

/** Folders of the runtime in the order in which a byte travels; each may import only from those before it. */
const BYTE_WAY = [
  "framing",
  "agents",
  "process",
  "log",
  "jobs",
  "limits",
  "session",
  "lanes",
  "landing",
  "launches",
  "checkpoints",
  "hub",
  "server",
];
/** What a package may import of the others. */
const PACKAGES: Record<string, string[]> = {
  protocol: [],
  client: ["protocol"],
  testkit: ["protocol"],
  models: [],
  agent: ["models"],
  runtime: ["protocol", "models"],
  web: ["protocol", "client"],
  cli: ["protocol", "client", "runtime", "models", "agent", "testkit"],
};
const PORTS = ["agents/contract.ts", "log/port.ts", "limits/port.ts", "session/api.ts"];
/** Folders of agents/ that agents are built from. */
const SHARED = ["finding", "acp", "json-lines", "kit", "plain", "history"];
const AGENT_NAMES = /\b(claude|codex|gemini|opencode|cursor-agent|qwen|kimi|droid|copilot|hermes)\b/i;
const NAMELESS = [
  "packages/runtime/src/session/",
  "packages/runtime/src/limits/",
  "packages/runtime/src/hub/",
  "packages/runtime/src/log/",
  "packages/runtime/src/server/",
  "packages/web/src/",
];
const LONGEST = 600;

const problems: string[] = [];
for (const path of sources(join(root, "packages"))) check(relative(root, path), readFileSync(path, "utf8"));
if (problems.length > 0) {
  process.stdout.write(`${problems.join("\n")}\n`);
  process.exit(1);
}

function check(path: string, text: string): void {
  const test =
    path.includes(".test.") || path.includes(".fake.") || path.includes("/test-") || path.includes("/testing/");
  const lines = text.split("\n").length;
  if (lines > LONGEST) problems.push(`${path}: ${lines} lines; split it along a seam (at most ${LONGEST})`);
  if (!test && NAMELESS.some((folder) => path.startsWith(folder)) && AGENT_NAMES.test(text)) {
    problems.push(
      `${path}: names an agent (${AGENT_NAMES.exec(text)?.[0]}); agents are known only in their own folder`,
    );
  }
  for (const [, target = ""] of text.matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)) checkImport(path, target, test);
}

function checkImport(path: string, target: string, test: boolean): void {
  const from = path.split("/")[1] ?? "";
  const [, other] = /^@gantry\/([a-z]+)/.exec(target) ?? [];
  if (other && !test && !PACKAGES[from]?.includes(other)) problems.push(`${path}: ${from} may not import ${target}`);
  if (from !== "runtime" || !target.startsWith(".")) return;
  const place = relative(join(root, "packages/runtime/src"), resolve(root, dirname(path), target)).split("/");
  const mine = path.split("/").slice(3);
  checkWay(path, mine, place, test);
}

function checkWay(path: string, mine: string[], place: string[], test: boolean): void {
  const [here, there] = [mine[0] ?? "", place[0] ?? ""];
  if (
    here === "agents" &&
    there === "agents" &&
    mine[2] &&
    place[2] &&
    mine[1] !== place[1] &&
    !SHARED.includes(place[1] ?? "") &&
    !test
  ) {
    problems.push(`${path}: agents never import each other (${place.join("/")})`);
  }
  // Ports are types alone: the vocabulary of the whole way.
  if (test || PORTS.includes(place.join("/"))) return;
  if (!BYTE_WAY.includes(here) || !BYTE_WAY.includes(there)) {
    if (there === "daemon.ts" && here !== "index.ts")
      problems.push(`${path}: only the package's entry knows daemon.ts`);
    return;
  }
  if (BYTE_WAY.indexOf(there) > BYTE_WAY.indexOf(here)) problems.push(`${path}: ${here}/ may not import ${there}/`);
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === "node_modules" || entry.name === "fixtures") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith(".gen.ts")) yield path;
  }
}
