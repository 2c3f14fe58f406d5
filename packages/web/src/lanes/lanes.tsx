import { GitBranch, Plus, Rows3 } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { useShortcuts } from "../shell/shortcuts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { View } from "../ui/layout/view.tsx";
import { CleanUp } from "./clean-up.tsx";
import { NewLaneDialog } from "./dialogs/new-lane-dialog.tsx";
import { byRepository } from "./lane-text.ts";
import { RepositorySection } from "./repository-section.tsx";
import { useLanes } from "./use-lanes.ts";

/** The lanes of every repository, their conflicts, and clean-up suggestions. */
export default function Lanes() {
  const { lanes, conflicts, suggestions = [], undos = [], reload } = useLanes();
  const { value, error, loading } = lanes;
  const [creating, setCreating] = useState<{ cwd?: string }>();
  const [, go] = useLocation();
  useShortcuts([{ keys: "n", does: "New lane", run: () => setCreating({}) }]);
  const groups = byRepository(value?.lanes ?? []);
  const actions = (
    <>
      <Button icon={<Rows3 size={14} />} onClick={() => go("/launch")}>
        Compare agents
      </Button>
      <Button look="primary" icon={<Plus size={14} />} keys="n" onClick={() => setCreating({})}>
        New lane
      </Button>
    </>
  );
  return (
    <View title="Lanes" actions={actions} wide>
      {error !== undefined && <LoadError error={error} onRetry={reload} />}
      {!value && loading && <p className="text-faint">Loading lanes…</p>}
      {value && groups.length === 0 && <NoLanes />}
      <div className="flex flex-col gap-8">
        {groups.map(({ repository, lanes: own }) => (
          <RepositorySection
            key={repository}
            repository={repository}
            lanes={own}
            adoptable={value?.adoptable.filter((tree) => tree.repository === repository) ?? []}
            conflicts={conflicts?.find((matrix) => matrix.repository === repository)}
            onNew={() => setCreating({ cwd: repository })}
            onChanged={reload}
          />
        ))}
        <CleanUp suggestions={suggestions} undos={undos} onChanged={reload} />
      </div>
      {creating && (
        <NewLaneDialog
          cwd={creating.cwd ?? groups[0]?.repository}
          onClose={() => setCreating(undefined)}
          onCreated={reload}
        />
      )}
    </View>
  );
}

function NoLanes() {
  return (
    <Empty title="No lanes yet" icon={<GitBranch size={28} strokeWidth={1.5} />}>
      <p>
        A lane is a separate git worktree, so that agents can work in parallel without conflicts. You land the result
        you want. <Link href="/new">Start a session</Link> in a repository, or create a lane.
      </p>
    </Empty>
  );
}
