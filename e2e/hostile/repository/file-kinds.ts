import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Attack, Outcome } from "../attack.ts";
import type { HostileRepository, RepositoryWorkbench } from "./workbench.ts";

const CANARY = "canary-of-the-netrc";
const AGENT_MS = 60_000;
const LOOK_MS = 60_000;
const HEALTH_MS = 5000;
const WATCH_MS = 10_000;

/** Files that the agent or the daemon reads in a repository without a question. */
const PLACES = [
  ...["AGENTS.md", "CLAUDE.md", ".clinerules", ".cursorrules", ".windsurfrules", "lsp.json", ".mcp.json"],
  ...[".gantry/config.yml", ".gantry/secrets.yml", ".gantry/mcp.json", ".gantry/lane.yml", ".gantry/rules/a.md"],
  ...[".gantry/skills/a/SKILL.md", ".cursor/rules/a.mdc", ".claude/settings.json"],
];
/** Files that git reads too. A git process that waits for one of them is ended by its deadline. */
const GIT_PLACES = [
  ...[".git/HEAD", ".git/config", ".git/index", ".git/commondir", ".git/info/exclude", ".git/info/attributes"],
  ...[".gitattributes", ".gitmodules"],
];

const KINDS: Record<string, (path: string, home: string) => void> = {
  "named pipes": (path) => execFileSync("mkfifo", [path]),
  folders: (path) => mkdirSync(path),
  "huge files": (path) => {
    writeFileSync(path, "x");
    truncateSync(path, 5 * 1024 ** 3);
  },
  "links to a device": (path) => symlinkSync("/dev/zero", path),
  "links to themselves": (path) => symlinkSync(path, path),
  "links to an endless file of /proc": (path) => symlinkSync("/proc/self/pagemap", path),
  "links to a credential": (path, home) => symlinkSync(join(home, ".netrc"), path),
};

/** A repository whose files have another form than expected: the start must not block, and no credential may be shown. */
export function fileKindAttacks(bench: RepositoryWorkbench): Attack[] {
  return Object.entries(KINDS).flatMap(([kind, plant]) => {
    const prepare = (places: readonly string[]) => {
      writeFileSync(join(bench.userHome, ".netrc"), `machine x password ${CANARY}\n`);
      const repository = bench.repository(kind);
      for (const place of places) {
        const path = join(repository.path, place);
        rmSync(path, { recursive: true, force: true });
        mkdirSync(dirname(path), { recursive: true });
        plant(path, bench.userHome);
      }
      return repository;
    };
    const attack = (name: string, run: () => Promise<Outcome>) => ({ name, class: "files in another form", run });
    return [
      attack(`own agent, ${kind}`, () => startAgent(bench, prepare([...PLACES, ...GIT_PLACES]))),
      attack(`daemon, ${kind}`, () => look(bench, prepare(PLACES), LOOK_MS)),
      attack(`daemon, ${kind} for git`, () => look(bench, prepare(GIT_PLACES))),
    ];
  });
}

async function startAgent(bench: RepositoryWorkbench, { path }: HostileRepository): Promise<Outcome> {
  const started = performance.now();
  const out = await bench.agent(path, "plan", [{ name: "read", args: { path: "a.txt" } }]);
  const ms = performance.now() - started;
  if (bench.hasAsked(CANARY)) return { held: false, effect: "the model received the credential" };
  if (!out.includes("Done.")) return { held: false, effect: `the agent did not answer: ${out.slice(-300)}` };
  return ms < AGENT_MS ? { held: true } : { held: false, effect: `it took ${Math.round(ms)} ms` };
}

/** Without `most`, only the daemon must stay responsive: git's own processes may wait. */
async function look(bench: RepositoryWorkbench, repository: HostileRepository, most?: number): Promise<Outcome> {
  const waited = new Promise<"late">((resolve) => setTimeout(resolve, most ?? WATCH_MS, "late").unref());
  const looking = bench.look(repository).then(
    () => "done" as const,
    () => "refused" as const,
  );
  if (!(await isHealthy(bench))) return { held: false, effect: "the daemon did not answer" };
  const end = await Promise.race([looking, waited]);
  if (!(await isHealthy(bench))) return { held: false, effect: "the daemon did not answer afterwards" };
  return end === "late" && most !== undefined ? { held: false, effect: "the calls did not end" } : { held: true };
}

function isHealthy(bench: RepositoryWorkbench): Promise<boolean> {
  return fetch(`${bench.daemonUrl}/v1/health`, { signal: AbortSignal.timeout(HEALTH_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
