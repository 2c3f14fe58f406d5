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
import { RepositorySection } from "./repository-section.tsx";
import { useLanes } from "./use-lanes.ts";
import { byRepository } from "./words.ts";

/** Where agents work: the lanes of every repository, how they stand to each other, and what to do with them. */
export default function Lanes() {
  const { lanes, radar, suggestions = [], undos = [], reload } = useLanes();
  const { value, error, loading } = lanes;
  const [making, setMaking] = useState<{ cwd?: string }>();
  const [, go] = useLocation();
  useShortcuts([{ keys: "n", does: "New lane", run: () => setMaking({}) }]);
  const groups = byRepository(value?.lanes ?? []);
  const actions = (
    <>
      <Button icon={<Rows3 size={14} />} onClick={() => go("/launch")}>
        Launch several agents
      </Button>
      <Button look="primary" icon={<Plus size={14} />} keys="n" onClick={() => setMaking({})}>
        New lane
      </Button>
    </>
  );
  return (
    <View title="Lanes" actions={actions} wide>
      {error !== undefined && <LoadError error={error} onRetry={reload} />}
      {!value && loading && <p className="text-faint">Looking at the work trees …</p>}
      {value && groups.length === 0 && <NoLanes />}
      <div className="flex flex-col gap-8">
        {groups.map(({ repository, lanes: own }) => (
          <RepositorySection
            key={repository}
            repository={repository}
            lanes={own}
            adoptable={value?.adoptable.filter((tree) => tree.repository === repository) ?? []}
            radar={radar?.find((matrix) => matrix.repository === repository)}
            onNew={() => setMaking({ cwd: repository })}
            onChanged={reload}
          />
        ))}
        <CleanUp suggestions={suggestions} undos={undos} onChanged={reload} />
      </div>
      {making && (
        <NewLaneDialog cwd={making.cwd ?? groups[0]?.repository} onClose={() => setMaking(undefined)} onMade={reload} />
      )}
    </View>
  );
}

function NoLanes() {
  return (
    <Empty title="No folder is being worked in" icon={<GitBranch size={28} strokeWidth={1.5} />}>
      <p>
        A lane is a work tree of its own: agents work side by side without stepping on each other, and you land what is
        good. <Link href="/new">Start a session</Link> in a repository, or make a lane.
      </p>
    </Empty>
  );
}
