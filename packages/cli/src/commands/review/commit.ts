import type { CommitPlan } from "@gantry/protocol";
import { pluralize, stripControls } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

export type CommitFlags = { message?: string; push: boolean; pr: boolean; staged: boolean; dryRun: boolean };

/** Commits files of a session's folder. */
export default async function commit(this: Context, flags: CommitFlags, ...names: string[]): Promise<void> {
  const { output } = this;
  const [name = "", ...paths] = names;
  const client = await connect(this);
  const { id } = await resolveSession(client, name);
  if (flags.dryRun) {
    const plan = await client.changes.commitPlan(id);
    return output.json ? output.data(plan) : output.print(describePlan(plan));
  }
  const { message, push } = flags;
  if (flags.staged && paths.length > 0)
    throw usageError("Give files or --staged, not both.", "gantry commit <session> --staged");
  const whole = flags.staged ? { staged: true as const } : { all: true as const };
  const what = paths.length > 0 ? { paths } : whole;
  const done = await client.changes.commit(id, { ...what, ...(message ? { message } : {}), push: push && !flags.pr });
  const request = flags.pr ? await client.changes.openPullRequest(id) : undefined;
  if (output.json) return output.data({ ...done, ...(request ? { pr: request.pr } : {}) });
  const [subject = ""] = done.message.split("\n");
  const pushed = done.pushed ?? request?.pr.remote;
  output.print([
    `${done.commit.slice(0, 10)} ${stripControls(subject)} (${pluralize(done.files.length, "file")}${done.branch ? ` on ${done.branch}` : ""})`,
    ...(pushed ? [`pushed to ${pushed}`] : []),
    ...(request ? [`pull request: ${request.pr.url ?? request.pr.open ?? "pushed"}`] : []),
    ...[...done.notices, ...(request?.notices ?? [])].map((notice) => output.paint.yellow(notice)),
  ]);
}

function describePlan({ root, branch, changes, message }: CommitPlan): string[] {
  const where = branch === undefined ? `${root} (no branch)` : `${branch} in ${root}`;
  return [`${pluralize(changes, "change")} on ${where}`, "", stripControls(message)];
}
