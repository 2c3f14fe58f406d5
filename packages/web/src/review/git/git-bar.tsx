import type { CommitPlan, Lane, SessionView } from "@gantry/protocol";
import { ArrowUpFromLine, GitBranch, GitMerge, GitPullRequest } from "lucide-react";
import { useState } from "react";
import { LandDialog } from "../../lanes/dialogs/land-dialog.tsx";
import { client } from "../../store/connection/client.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Menu, type MenuEntry } from "../../ui/controls/menu.tsx";
import { CommitDialog } from "./commit-dialog.tsx";

type GitBarProps = { session: SessionView; plan: CommitPlan; onChanged: () => void };

/** The branch of the session's folder, and what can be done with it: commit, push, pull request, landing. */
export function GitBar({ session, plan, onChanged }: GitBarProps) {
  const { id, turn } = session;
  const [committing, setCommitting] = useState(false);
  const [lane, setLane] = useState<Lane>();
  const done = () => {
    setCommitting(false);
    setLane(undefined);
    onChanged();
  };
  const land = (laneId: string) => void client.lanes.get(laneId).then(setLane, toastError);
  const entries = actionsOf(plan, {
    push: () => void push(id).then(done, toastError),
    request: () => void openPullRequest(id).then(done, toastError),
  });
  const { lane: laneId, into } = plan;
  return (
    <div className="flex shrink-0 items-center gap-2 border-t border-line px-3 py-2 text-sm">
      <GitBranch size={14} aria-hidden="true" className="shrink-0 text-faint" />
      <span className="min-w-0 grow truncate text-soft" title={plan.root}>
        {plan.branch ?? "No branch"}
        <span className="text-faint"> · {describeChanges(plan)}</span>
      </span>
      {entries.length > 0 && <Menu label="More git actions" icon={<GitPullRequest size={15} />} entries={entries} />}
      {laneId && (
        <Button
          icon={<GitMerge size={14} />}
          disabled={turn !== undefined}
          title={turn ? "Wait until the turn ends." : into && `Land on ${into}`}
          onClick={() => land(laneId)}
        >
          Land…
        </Button>
      )}
      <Button
        disabled={plan.changes === 0 || turn !== undefined}
        title={turn ? "Wait until the turn ends." : undefined}
        onClick={() => setCommitting(true)}
      >
        Commit…
      </Button>
      {committing && <CommitDialog session={id} plan={plan} onClose={() => setCommitting(false)} onCommitted={done} />}
      {lane && <LandDialog lane={lane} onClose={() => setLane(undefined)} onLanded={done} />}
    </div>
  );
}

function describeChanges({ changes, staged, unpushed }: CommitPlan): string {
  const parts = [
    changes === 0 ? "nothing to commit" : `${changes} uncommitted`,
    ...(staged.length > 0 ? [`${staged.length} staged`] : []),
    ...(unpushed > 0 ? [`${unpushed} not pushed`] : []),
  ];
  return parts.join(", ");
}

type Actions = { push: () => void; request: () => void };

function actionsOf({ remotes, unpushed, pr }: CommitPlan, { push, request }: Actions): MenuEntry[] {
  const url = pr?.url;
  const show = () => window.open(url, "_blank", "noreferrer");
  return [
    ...(url ? [{ label: "Show pull request", icon: <GitPullRequest size={14} />, run: show }] : []),
    ...(remotes.length > 0 && unpushed > 0 ? [{ label: "Push", icon: <ArrowUpFromLine size={14} />, run: push }] : []),
    ...(remotes.length > 0
      ? [{ label: "Push and open pull request", icon: <GitPullRequest size={14} />, run: request }]
      : []),
  ];
}

async function push(session: string): Promise<void> {
  const { branch, remote } = await client.changes.push(session);
  toast({ tone: "info", text: `${branch} was pushed to ${remote}.` });
}

/** Pushes the branch and opens a pull request, or shows how to open one. Reports the outcome as a toast. */
export async function openPullRequest(session: string): Promise<void> {
  const { pr, dirty, notices } = await client.changes.openPullRequest(session);
  const rest = dirty ? " Uncommitted changes are not part of it." : "";
  const text = `${pr.url ? "The pull request is open." : `${pr.branch} was pushed to ${pr.remote}.`}${rest}`;
  const { url = pr.open } = pr;
  const isLink = url !== undefined && /^https:\/\//.test(url);
  const action = isLink ? { label: "Show", run: () => void window.open(url, "_blank", "noreferrer") } : undefined;
  const remedy = [...notices, ...(url && !isLink ? [url] : [])].join(" ");
  toast({ tone: "info", text, ...(remedy ? { remedy } : {}), ...(action ? { action } : {}) });
}
