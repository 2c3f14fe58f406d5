import type { CommitPlan, Lane, SessionView } from "@gantry/protocol";
import { GitCommitHorizontal, GitMerge, GitPullRequest } from "lucide-react";
import { type ReactNode, useState } from "react";
import { openPullRequest } from "../../review/git/git-bar.tsx";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Menu } from "../../ui/controls/menu.tsx";
import { lazyView } from "../../ui/load/lazy-view.tsx";
import type { GitState } from "./use-git.ts";

const CommitDialog = lazyView(async () => ({
  default: (await import("../../review/git/commit-dialog.tsx")).CommitDialog,
}));
const LandDialog = lazyView(async () => ({
  default: (await import("../../lanes/dialogs/land-dialog.tsx")).LandDialog,
}));

type GitActionsProps = { session: SessionView; plan: CommitPlan; reload: GitState["reload"] };

/** Commit, pull request and landing of a session: buttons, or one menu where there is little room. */
export function GitActions({ session, plan, reload }: GitActionsProps) {
  const [committing, setCommitting] = useState(false);
  const [lane, setLane] = useState<Lane>();
  const done = () => {
    setCommitting(false);
    setLane(undefined);
    reload();
  };
  const actions = actionsOf(session, plan, {
    commit: () => setCommitting(true),
    request: () => void openPullRequest(session.id).then(done, toastError),
    land: (id) => void client.lanes.get(id).then(setLane, toastError),
  });
  if (actions.length === 0) return null;
  const entries = actions.map(({ title, icon, disabled, run }) => ({ label: title, icon, disabled, run }));
  return (
    <>
      <span className="hidden items-center gap-1 @5xl:flex">
        {actions.map(({ label, title, why, icon, disabled, run }) => (
          <Button key={label} title={why ?? title} icon={icon} disabled={disabled} onClick={run}>
            {label}
          </Button>
        ))}
      </span>
      <Menu label="Git actions" icon={<GitPullRequest size={16} />} entries={entries} className="@5xl:hidden" />
      {committing && (
        <CommitDialog session={session.id} plan={plan} onClose={() => setCommitting(false)} onCommitted={done} />
      )}
      {lane && <LandDialog lane={lane} onClose={() => setLane(undefined)} onLanded={done} />}
    </>
  );
}

type Action = {
  label: string;
  title: string;
  /** Why it is disabled. */
  why?: string;
  icon: ReactNode;
  disabled: boolean;
  run: () => void;
};
type Run = { commit: () => void; request: () => void; land: (lane: string) => void };

function actionsOf({ turn }: SessionView, plan: CommitPlan, run: Run): Action[] {
  const { changes, remotes, lane, pr, into } = plan;
  const why = turn ? "Wait until the turn ends." : undefined;
  const disabled = turn !== undefined;
  const url = pr?.url;
  return [
    ...(changes > 0
      ? [
          {
            label: "Commit",
            title: "Commit…",
            why,
            icon: <GitCommitHorizontal size={14} />,
            disabled,
            run: run.commit,
          },
        ]
      : []),
    ...(url
      ? [
          {
            label: "PR",
            title: "Show pull request",
            icon: <GitPullRequest size={14} />,
            disabled: false,
            run: () => void window.open(url, "_blank", "noreferrer"),
          },
        ]
      : remotes.length > 0
        ? [
            {
              label: "PR",
              title: "Push and open pull request",
              why,
              icon: <GitPullRequest size={14} />,
              disabled,
              run: run.request,
            },
          ]
        : []),
    ...(lane
      ? [
          {
            label: "Land",
            title: into ? `Land on ${into}…` : "Land…",
            why,
            icon: <GitMerge size={14} />,
            disabled,
            run: () => run.land(lane),
          },
        ]
      : []),
  ];
}
