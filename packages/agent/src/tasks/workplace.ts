import { relative } from "node:path";
import type { ToolContext } from "../contract/tool.ts";
import { daemonOf, describeLane, makeLane } from "./lane.ts";
import { applyPatch, makeWorktree, rootOf } from "./worktree.ts";

/** Where a subagent works. `finish` is called if the work was completed; `leave` is always called last. */
export interface Workplace {
  readonly cwd: string;
  /** Sentences that report what happened to its changes. */
  finish(): Promise<string[]>;
  leave(): Promise<void>;
}

/** `shared`: the parent's folder. `copy`: a worktree whose changes are applied to it. `lane`: a lane, or else a copy. */
export type WorkplaceKind = "shared" | "copy" | "lane";

/** Throws a `ToolError` if the workplace cannot be created. */
export function openWorkplace(
  kind: WorkplaceKind,
  id: string,
  worktrees: string,
  context: ToolContext,
): Promise<Workplace> {
  if (kind === "shared")
    return Promise.resolve({ cwd: context.cwd, finish: async () => [], leave: async () => undefined });
  const unique = `${id}-${Date.now().toString(36)}`;
  const daemon = kind === "lane" ? daemonOf(context.env) : undefined;
  return daemon ? lane(daemon, unique, context) : copy(`${worktrees}/${unique}`, context);
}

async function copy(place: string, context: ToolContext): Promise<Workplace> {
  const worktree = await makeWorktree(context.cwd, place);
  return {
    cwd: worktree.cwd,
    async finish() {
      const patch = await worktree.patch();
      if (patch === "") return ["It changed no files."];
      const reason = await applyPatch(context.cwd, patch);
      if (reason === undefined) return ["Its changes were applied."];
      const address = await context.keep(patch, "task");
      return [`Its changes conflict with the current files (${reason}). They are stored as a patch: ${address}`];
    },
    leave: () => worktree.remove(),
  };
}

/** Changes stay in the lane, whatever the outcome: a person decides about them. */
async function lane(
  daemon: NonNullable<ReturnType<typeof daemonOf>>,
  name: string,
  context: ToolContext,
): Promise<Workplace> {
  const { cwd, signal } = context;
  const below = relative(await rootOf(cwd), cwd);
  const made = await makeLane(daemon, cwd, `task-${name}`.slice(0, 48), signal);
  return {
    cwd: below === "" ? made.path : `${made.path}/${below}`,
    finish: async () => [await describeLane(daemon, made, signal)],
    leave: async () => undefined,
  };
}
