import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { GantryError, type PullRequest } from "@gantry/protocol";
import type { Git } from "../lanes/git/git.ts";
import { untrustedError } from "../lanes/untrusted.ts";
import { hooksIn } from "./merge/hooks.ts";
import { anyCode, printedText, refusal } from "./merge/refusal.ts";

const GH_MS = 60_000;
const PUSH_MS = 300_000;

export type Request = { path: string; branch: string; into: string; title: string; body: string };

/**
 * Pushes a lane's branch and opens a pull request with `gh` if it is installed. Idempotent. Throws `unsupported` without
 * a remote, `untrusted`, `hook_failed` or `git_failed` when the push is refused. A failure of `gh` is a notice, because the branch
 * has been pushed.
 */
export async function openRequest(
  git: Git,
  env: Record<string, string>,
  request: Request,
): Promise<{ pr: PullRequest; notice?: string }> {
  const { path, branch } = request;
  const remote = await pushBranch(git, request);
  const pr: PullRequest = { remote, branch };
  const byHand = await openByHand(git, path, remote, request);
  const gh = programOn(env.PATH, "gh");
  if (!gh) return { pr: { ...pr, open: byHand } };
  const { url, complaint } = await createWith(gh, env, request);
  if (url) return { pr: { ...pr, url } };
  return { pr: { ...pr, open: byHand }, notice: `The branch was pushed, but gh opened no pull request: ${complaint}` };
}

/**
 * Pushes a branch and returns the remote. `into` helps to find it. Throws `unsupported` without a remote, `untrusted`,
 * `conflict`, `hook_failed` or `git_failed` when the push is refused.
 */
export async function pushBranch(
  git: Git,
  { path, branch, into = branch }: { path: string; branch: string; into?: string },
): Promise<string> {
  const remote = await remoteOf(git, path, branch, into);
  const withheld = await git.listWithheld(path);
  if (withheld.length > 0) throw untrustedError("Nothing was pushed, because you have not trusted", path, withheld);
  const answer = await git.change(
    path,
    ["push", "--set-upstream", remote, `refs/heads/${branch}:refs/heads/${branch}`],
    {
      answers: anyCode,
      timeoutMs: PUSH_MS,
    },
  );
  if (answer.code !== 0)
    throw pushRefused(printedText(answer), refusal("The push", answer, await hooksIn(git, path, ["pre-push"])));
  return remote;
}

/** The remote of the branch, of its base, git's default for pushes, `origin`, or the only one. */
export async function remoteOf(git: Git, path: string, branch: string, into: string): Promise<string> {
  const remotes = (await git.read(path, ["remote"])).out.split("\n").filter(Boolean);
  const keys = [
    `branch.${branch}.pushRemote`,
    "remote.pushDefault",
    `branch.${branch}.remote`,
    `branch.${into}.remote`,
  ];
  const named = await Promise.all(keys.map((key) => git.line(path, ["config", "--get", key])));
  const found = [...named, "origin", remotes.length === 1 ? remotes[0] : undefined].find(
    (name) => name && remotes.includes(name),
  );
  if (found) return found;
  throw new GantryError("unsupported", "The repository has no remote to push to. Nothing was changed.", {
    remedy: "Add one: git remote add origin <address>. Or land with merge, squash or rebase.",
  });
}

function pushRefused(output: string, otherwise: GantryError): GantryError {
  if (!/\(non-fast-forward\)|\(fetch first\)|\(stale info\)/.test(output)) return otherwise;
  return new GantryError("conflict", "The remote's branch has commits that the lane does not have.", {
    remedy: "Run git pull in the lane, then try again.",
    details: { output },
  });
}

function createWith(
  gh: string,
  env: Record<string, string>,
  { path, branch, into, title, body }: Request,
): Promise<{ url?: string; complaint?: string }> {
  const args = ["pr", "create", "--head", branch, "--base", into, "--title", title, "--body", body];
  const quiet = { ...env, GH_PROMPT_DISABLED: "1", GH_NO_UPDATE_NOTIFIER: "1", NO_COLOR: "1" };
  return new Promise((resolve) => {
    const child = execFile(gh, args, { cwd: path, env: quiet, timeout: GH_MS }, (error, stdout, stderr) => {
      // For an existing request, the error names its address.
      const url = /https?:\/\/\S+/.exec(error ? stderr : stdout)?.[0];
      const there = !error || /already exists/i.test(stderr);
      if (there && url) return resolve({ url });
      resolve({ complaint: stderr.trim().split("\n").at(-1) || error?.message || "it printed no address" });
    });
    child.stdin?.end();
  });
}

async function openByHand(git: Git, path: string, remote: string, { branch, into }: Request): Promise<string> {
  const address = (await git.line(path, ["remote", "get-url", remote])) ?? "";
  const [, host, project] =
    /^(?:https?:\/\/|ssh:\/\/|git@)(?:[^@/]+@)?([^:/]+)[:/](.+?)(?:\.git)?\/?$/.exec(address) ?? [];
  if (host?.includes("github")) return `https://${host}/${project}/compare/${into}...${branch}?expand=1`;
  if (host?.includes("gitlab")) {
    return `https://${host}/${project}/-/merge_requests/new?merge_request[source_branch]=${branch}`;
  }
  return `gh pr create --head ${branch} --base ${into}`;
}

function programOn(path = "", name: string): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
