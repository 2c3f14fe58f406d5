import type { Adoptable, ConflictMatrix, Lane } from "@gantry/protocol";
import { FolderGit2, Plus } from "lucide-react";
import { client } from "../store/connection/client.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { LandingOrder } from "./conflicts/landing-order.tsx";
import { LaneRow } from "./lane-row.tsx";
import { folderName } from "./lane-text.ts";

type RepositorySectionProps = {
  repository: string;
  lanes: readonly Lane[];
  adoptable: readonly Adoptable[];
  conflicts: ConflictMatrix | undefined;
  onNew: () => void;
  onChanged: () => void;
};

/** A repository with its lanes, the primary lane first. */
export function RepositorySection(props: RepositorySectionProps) {
  const { repository, lanes, adoptable, conflicts, onNew, onChanged } = props;
  const git = lanes.some((lane) => lane.head !== undefined);
  return (
    <section aria-label={repository}>
      <h2 className="flex items-center gap-2 pb-2">
        <span className="max-w-1/2 shrink-0 truncate font-semibold">{folderName(repository)}</span>
        <code className="min-w-0 grow truncate font-mono text-xs text-faint">{repository}</code>
        {git && (
          <Button look="quiet" icon={<Plus size={14} />} onClick={onNew}>
            New lane
          </Button>
        )}
      </h2>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {lanes.map((lane) => (
          <LaneRow key={lane.id} lane={lane} conflicts={conflicts} onChanged={onChanged} />
        ))}
        {adoptable.map((tree) => (
          <AdoptableRow key={tree.path} tree={tree} onChanged={onChanged} />
        ))}
      </ul>
      {conflicts && <LandingOrder conflicts={conflicts} />}
    </section>
  );
}

/** A worktree that was not created by Gantry. */
function AdoptableRow({ tree, onChanged }: { tree: Adoptable; onChanged: () => void }) {
  const adopt = () => client.call("createLane", { body: { path: tree.path } }).then(onChanged, toastError);
  return (
    <li className="flex items-center gap-2.5 px-3 py-2 text-soft">
      <FolderGit2 size={14} aria-hidden="true" className="shrink-0 text-faint" />
      <span className="min-w-0 grow truncate">
        {tree.branch ?? "detached"} <code className="font-mono text-xs text-faint">{tree.path}</code>
      </span>
      <span className="shrink-0 text-xs text-faint">not managed by Gantry</span>
      <Button onClick={() => void adopt()}>Adopt</Button>
    </li>
  );
}
