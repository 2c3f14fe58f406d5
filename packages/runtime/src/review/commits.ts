import { join } from "node:path";
import {
  type CommitChanges,
  type CommitPlan,
  type Committed,
  GantryError,
  type OpenedPullRequest,
  type OpenPullRequest,
  type Pushed,
  type SessionView,
  type StagedFile,
} from "@gantry/protocol";
import { requirePathInside } from "../checkpoints/checkpoints.ts";
import type { TurnCheckpoints } from "../checkpoints/turn-checkpoints.ts";
import { findPlace, type Place } from "../checkpoints/work-tree/place.ts";
import { commitAll, commitIndex, isDirty } from "../landing/merge/commit.ts";
import { requireIdentity } from "../landing/merge/refusal.ts";
import { checkWithheld } from "../landing/merge/withheld.ts";
import type { LandingService } from "../landing/port.ts";
import { openRequest, pushBranch, remoteOf } from "../landing/pull-request.ts";
import { aheadBehind, commitOf, countUnpushed } from "../lanes/git/commits.ts";
import { treeDiff } from "../lanes/git/diff.ts";
import type { Git } from "../lanes/git/git.ts";
import { type Status, statusOf } from "../lanes/git/status.ts";
import type { LaneRecord, LaneRoom } from "../lanes/port.ts";
import type { Moments } from "./moments.ts";
import { listStaged } from "./staging/staged-files.ts";
import { suggestMessage } from "./suggest-message.ts";

export type CommitDeps = {
  git: Git;
  moments: Moments;
  lanes: LaneRoom;
  landing: LandingService;
  turnCheckpoints: TurnCheckpoints;
  home: string;
  id: () => string;
  /** Environment of agents, which `gh` shares. */
  env: Record<string, string>;
};

/** Commits, pushes and pull requests of the folder that a session works in. */
export class Commits {
  readonly #deps: CommitDeps;

  constructor(deps: CommitDeps) {
    this.#deps = deps;
  }

  async plan(session: string): Promise<CommitPlan> {
    const { git, landing } = this.#deps;
    const view = this.#deps.moments.view(session);
    const { root } = await this.#place(view);
    const [status, remotes, staged] = await Promise.all([
      statusOf(git, root),
      this.#remotes(root),
      listStaged(git, root, view.cwd),
    ]);
    const { branch, head, upstream } = status;
    const lane = this.#laneOf(view, root);
    const pr = lane && landing.list(lane.id).find((one) => one.pr)?.pr;
    const into = await this.#target(root, status, lane).catch(() => undefined);
    const distance = await this.#distance(root, status, lane);
    return {
      root,
      ...(branch ? { branch } : {}),
      ...(head ? { head } : {}),
      ...(upstream ? { upstream } : {}),
      changes: status.changed + status.untracked,
      ...distance,
      unpushed: head && remotes.length > 0 ? await countUnpushed(git, root, head, []) : 0,
      remotes,
      staged,
      message: suggestMessage(view, partOf(status, staged)),
      ...(into ? { into } : {}),
      ...(lane && (lane.state === "ready" || lane.state === "archived") ? { lane: lane.id } : {}),
      ...(lane ? { laneName: lane.name } : {}),
      ...(pr ? { pr } : {}),
    };
  }

  async commit(session: string, body: CommitChanges): Promise<Committed> {
    const { message: given, paths, staged = false, push = false } = body;
    const { git, moments } = this.#deps;
    const view = moments.view(session);
    const { root } = await this.#place(view);
    this.#refuseRunning(root);
    const only = paths?.map((path) => Buffer.from(requirePathInside(root, view.cwd, path), "latin1").toString("utf8"));
    await requireIdentity(git, root);
    const notices = await checkWithheld(git, root, [root]);
    const message = given ?? (staged ? (await this.plan(session)).message : suggestMessage(view));
    const index = join(this.#deps.home, "landing", `${this.#deps.id()}.index`);
    const commit = staged
      ? await commitIndex(git, { tree: root, message, what: "The commit" })
      : await commitAll(git, { tree: root, message, index, only, what: "The commit" });
    if (commit === undefined) throw nothingToCommit(body);
    const { branch } = await statusOf(git, root);
    const parent =
      (await git.line(root, ["rev-parse", "--verify", "--quiet", `${commit}^`])) ?? (await emptyTree(git, root));
    const { files } = await treeDiff(git, root, { from: parent, to: commit, most: 0 });
    const pushed = push ? await this.#push(root, branch, notices) : undefined;
    return { commit, message, ...(branch ? { branch } : {}), files, ...(pushed ? { pushed } : {}), notices };
  }

  async openPullRequest(session: string, body: OpenPullRequest): Promise<OpenedPullRequest> {
    const { git, landing, env } = this.#deps;
    const view = this.#deps.moments.view(session);
    const { root } = await this.#place(view);
    this.#refuseRunning(root);
    const status = await statusOf(git, root);
    const lane = this.#laneOf(view, root);
    const title = body.title ?? suggestMessage(view).split("\n")[0] ?? view.title;
    const text = body.text ?? view.summary ?? "";
    if (lane) {
      const options = { commit: true, remove: false, tellAgents: false };
      const message = text ? `${title}\n\n${text}` : title;
      const request = { ...(body.id ? { id: body.id } : {}), how: "pr" as const, message, ...options };
      const { pr, into, notices } = await landing.land(lane.id, {
        ...request,
        ...(body.into ? { into: body.into } : {}),
      });
      if (!pr) throw new GantryError("git_failed", "The branch was not pushed.");
      return { pr, into, dirty: false, notices };
    }
    if (!status.branch) throw noBranch(root);
    const into = body.into ?? (await this.#target(root, status, undefined));
    if (into === status.branch) {
      throw new GantryError("unsupported", `The folder is on ${into}, which is also the target. Nothing was pushed.`, {
        remedy: "Create a branch: git switch -c <name>. Then commit and try again.",
      });
    }
    const request = { path: root, branch: status.branch, into, title, body: text };
    const { pr, notice } = await openRequest(git, env, request);
    return { pr, into, dirty: await isDirty(git, root), notices: notice ? [notice] : [] };
  }

  async push(session: string): Promise<Pushed> {
    const { git, moments } = this.#deps;
    const { root } = await this.#place(moments.view(session));
    const { branch } = await statusOf(git, root);
    if (!branch) throw noBranch(root);
    return { branch, remote: await pushBranch(git, { path: root, branch }) };
  }

  /** The commit exists, so a refused push is a notice. */
  async #push(root: string, branch: string | undefined, notices: string[]): Promise<string | undefined> {
    try {
      if (!branch) throw noBranch(root);
      return await pushBranch(this.#deps.git, { path: root, branch });
    } catch (error) {
      const { message, remedy = "" } = error as GantryError;
      notices.push(`The commit was not pushed. ${message} ${remedy}`.trim());
      return undefined;
    }
  }

  async #remotes(root: string): Promise<string[]> {
    return (await this.#deps.git.read(root, ["remote"])).out.split("\n").filter(Boolean);
  }

  /** How far the branch is from the lane's base, or from its upstream branch. Empty if neither exists. */
  async #distance(
    root: string,
    { head, upstream }: Status,
    lane: LaneRecord | undefined,
  ): Promise<Partial<CommitPlan>> {
    const { git } = this.#deps;
    const ref = lane?.base.ref ?? upstream;
    const name = lane?.base.ref ?? "@{upstream}";
    const other = head && ref ? await commitOf(git, root, name) : undefined;
    if (!head || !ref || !other) return {};
    return { against: ref.replace(/^refs\/(heads|remotes)\//, ""), ...(await aheadBehind(git, root, head, other)) };
  }

  /** The lane's base, or the default branch of the remote. Throws `invalid` if neither is known. */
  async #target(root: string, { branch = "" }: Status, lane: LaneRecord | undefined): Promise<string> {
    const { git } = this.#deps;
    const base = lane?.base.ref?.replace(/^refs\/(heads|remotes\/[^/]+)\//, "");
    if (base) return base;
    const remote = await remoteOf(git, root, branch, branch);
    const head = await git.line(root, ["symbolic-ref", "--quiet", `refs/remotes/${remote}/HEAD`]);
    if (head) return head.slice(`refs/remotes/${remote}/`.length);
    for (const name of ["main", "master"])
      if (await git.line(root, ["rev-parse", "--verify", "--quiet", `refs/remotes/${remote}/${name}`])) return name;
    throw new GantryError("invalid", `The default branch of ${remote} is unknown.`, {
      remedy: "Choose the target branch with `into`.",
    });
  }

  #laneOf({ lane }: SessionView, root: string): LaneRecord | undefined {
    return lane === undefined ? this.#deps.lanes.at(root) : this.#deps.lanes.record(lane);
  }

  async #place({ cwd }: SessionView): Promise<Place> {
    const place = await findPlace(this.#deps.git, cwd);
    if (!("missing" in place)) return place;
    throw new GantryError("not_a_repository", `Nothing can be committed in ${cwd}: ${place.missing}.`, {
      remedy: place.remedy ?? "Run git init there to use commits and diffs.",
    });
  }

  #refuseRunning(root: string): void {
    const [busy] = this.#deps.turnCheckpoints.listRunningSessions(root);
    if (!busy) return;
    throw new GantryError("turn_running", `A turn of ${busy} is running in ${root}. Nothing was changed.`, {
      remedy: "Wait until it ends, or interrupt it.",
    });
  }
}

async function emptyTree(git: Git, root: string): Promise<string> {
  return (await git.write(root, ["mktree"], { input: "" })).out.trim();
}

function noBranch(root: string): GantryError {
  return new GantryError("unsupported", `${root} is on no branch, so it cannot be pushed.`, {
    remedy: "Create a branch: git switch -c <name>",
  });
}

/** The staged files, if they are not all of the changes. */
function partOf({ changed, untracked }: Status, staged: readonly StagedFile[]): readonly StagedFile[] {
  const isAll = untracked === 0 && staged.length >= changed && staged.every(({ partly }) => !partly);
  return isAll ? [] : staged;
}

function nothingToCommit({ paths, staged }: CommitChanges): GantryError {
  const named = paths ? "None of these files has uncommitted changes." : "There are no uncommitted changes.";
  return new GantryError("conflict", staged ? "Nothing is staged." : named);
}
