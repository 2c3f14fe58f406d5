import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { type CreateLaunch, GantryError } from "@gantry/protocol";
import { branchRefOf, headOf, requireCommit } from "../lanes/git/commits.ts";
import type { Git } from "../lanes/git/git.ts";
import { requireRepository } from "../lanes/git/repository.ts";
import type { LaneService } from "../lanes/port.ts";
import { checkAttachments } from "../session/requests.ts";
import type { LaunchData } from "./launch-data.ts";
import { launchName, slotsOf } from "./slots.ts";

export type Admitting = {
  git: Git;
  home: string;
  lanes: Pick<LaneService, "list">;
  /** Throws if the agent is unknown, cannot be started here, or does not have the model or the effort. */
  requireAgent: (agent: string, choices: { model?: string; effort?: string }) => Promise<void>;
  /** Throws if the agent's session in `cwd` may not have the folders. */
  requireFolders: (agent: string, folders: readonly string[], cwd: string) => void;
};

/** Validates a launch before anything is created. Resolves the base to a commit. */
export async function admit(
  { git, home, lanes, requireAgent, requireFolders }: Admitting,
  { id, request, body }: { id: string; request: string; body: CreateLaunch },
): Promise<LaunchData> {
  const { cwd, prompt, folders } = body;
  if (!isAbsolute(cwd) || !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    throw new GantryError("invalid", `${cwd} is not a folder.`, { remedy: "Use an absolute path that exists." });
  }
  for (const { agent, model, effort } of body.slots) {
    await requireAgent(agent, { model: model ?? undefined, effort: effort ?? undefined });
  }
  const { primary: repository, root } = await requireRepository(git, cwd);
  for (const { agent } of body.slots) requireFolders(agent, folders ?? [], root);
  const base = await baseOf(git, repository, body.base);
  const attachments = checkAttachments({ text: prompt, attachments: body.attachments }, root, home);
  const names = (await lanes.list({ cwd: repository, archived: "any" })).lanes.map(({ name }) => name.toLowerCase());
  const slots = slotsOf(id, body, (name) => names.includes(name.toLowerCase()));
  const name = launchName(body);
  return { id, name, prompt, attachments, cwd, repository, root, base, folders, slots, request };
}

async function baseOf(git: Git, repository: string, base: string | undefined): Promise<LaunchData["base"]> {
  if (base === undefined) {
    const { branch, commit } = await headOf(git, repository);
    if (commit) return { ...(branch ? { ref: branch } : {}), commit };
    throw new GantryError("no_commits", `${repository} has no commit yet, so lanes have nothing to start from.`, {
      remedy: "Create a first commit there: git add -A && git commit.",
    });
  }
  const commit = await requireCommit(git, repository, base);
  const ref = (await branchRefOf(git, repository, base))?.replace(/^refs\/(heads|remotes)\//, "");
  return { ...(ref ? { ref } : {}), commit };
}
