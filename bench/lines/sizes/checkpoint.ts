import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPlace } from "../../../packages/runtime/src/checkpoints/work-tree/place.ts";
import { WorkTree } from "../../../packages/runtime/src/checkpoints/work-tree/work-tree.ts";
import { Git } from "../../../packages/runtime/src/lanes/git/git.ts";
import type { Line } from "../../context.ts";
import { median } from "../../measure.ts";

const FILES = 50_000;
const PER_FOLDER = 100;
const CHANGED = 100;

/** The cost of a checkpoint of a large work tree before and after each turn. */
export const checkpoint: Line = {
  name: "checkpoint",
  async run(context) {
    const runs = context.pick({ full: 7, quick: 3 });
    const root = context.scratch("project");
    makeRepository(root);
    const git = new Git({ PATH: process.env.PATH, HOME: root });
    const place = await findPlace(git, root);
    if ("missing" in place) throw new Error(place.missing);
    const limits = { fileBytes: 50 * 1024 * 1024, untrackedFiles: 20_000 };
    const tree = new WorkTree(git, place, context.scratch("home"), () => limits);
    context.log(`checkpoint: ${FILES} files …`);
    const first = await measureMs(() => tree.snapshot());
    const same = await medianOfRuns(runs, () => measureMs(() => tree.snapshot()));
    const some = await medianOfRuns(runs, async (run) => {
      for (let i = 0; i < CHANGED; i++) writeFileSync(nameOf(root, i * 17), `changed in run ${run}\n`);
      return measureMs(() => tree.snapshot());
    });
    const status = () => git.read(root, ["status", "--porcelain", "--untracked-files=all"]);
    const floor = { what: "git status", value: await medianOfRuns(runs, () => measureMs(status)) };
    return {
      name: "checkpoint",
      title: "A checkpoint of 50,000 files",
      about: `A repository with 50,000 small files in 500 folders, all committed. A checkpoint finds the changes and writes them as a commit; the user's index is not touched. Median of ${runs}; the first checkpoint reads every file and is measured once. The floor is \`git status\` of the same tree with the user's own index, which writes nothing. No peer stores the work tree in this way.`,
      rows: [
        { what: "nothing changed", unit: "ms", gantry: same, budget: 1000, floor },
        { what: `${CHANGED} files changed`, unit: "ms", gantry: some, budget: 1000, floor },
        { what: "the first checkpoint", unit: "ms", gantry: first, floor },
      ],
    };
  },
};

function makeRepository(root: string): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, stdio: "ignore" });
  git("init", "-q");
  for (let i = 0; i < FILES; i += PER_FOLDER) mkdirSync(join(nameOf(root, i), ".."), { recursive: true });
  for (let i = 0; i < FILES; i++) writeFileSync(nameOf(root, i), `file ${i}\n`);
  git("add", "-A");
  git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "-q", "-m", "all of it");
}

function nameOf(root: string, i: number): string {
  const folder = Math.floor(i / PER_FOLDER);
  return join(root, `part-${folder % 20}`, `folder-${folder}`, `file-${i}.txt`);
}

async function measureMs(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function medianOfRuns(runs: number, work: (run: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) times.push(await work(run));
  return median(times);
}
