import type { Lane } from "@gantry/protocol";
import { Merge } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { client } from "../../store/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Tabs } from "../../ui/controls/tabs.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { View } from "../../ui/layout/view.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { LandDialog } from "../dialogs/land-dialog.tsx";
import { LaneMenu } from "../lane-menu.tsx";
import { SessionList } from "../session-list.tsx";
import { useWhenMoved } from "../use-lanes.ts";
import { standing } from "../words.ts";
import { Conflicts } from "./conflicts.tsx";
import { LaneChanges } from "./lane-changes.tsx";
import { SetupLogView } from "./setup-log.tsx";

/** One lane: what was changed in it, how it can be joined with the others, how it was set up. */
export default function LanePage({ id }: { id: string }) {
  const { value: lane, error, reload } = useQuery(id, () => client.call("getLane", { params: { id: id } }));
  useWhenMoved(reload);
  const [, go] = useLocation();
  const [landing, setLanding] = useState(false);
  if (error !== undefined && !lane)
    return (
      <View title="Lane">
        <LoadError error={error} onRetry={reload} />
      </View>
    );
  if (!lane) return <p className="m-auto text-faint">Looking at the work tree …</p>;
  const actions = (
    <>
      {lane.kind !== "primary" && (
        <Button
          look="primary"
          icon={<Merge size={14} />}
          disabled={lane.state !== "ready"}
          onClick={() => setLanding(true)}
        >
          Land …
        </Button>
      )}
      <LaneMenu lane={lane} onChanged={reload} />
    </>
  );
  return (
    <View title={lane.name} actions={actions} wide>
      <LaneFacts lane={lane} />
      <LaneTabs lane={lane} />
      {landing && (
        <LandDialog
          lane={lane}
          onClose={() => setLanding(false)}
          onLanded={({ removed }) => {
            if (removed) return go("/lanes");
            setLanding(false);
            reload();
          }}
        />
      )}
    </View>
  );
}

function LaneFacts({ lane }: { lane: Lane }) {
  return (
    <div className="mb-4 flex flex-col gap-1 text-soft">
      <p className="flex flex-wrap items-center gap-x-2">
        <Link href="/lanes" className="hover:text-ink hover:underline">
          Lanes
        </Link>
        <span aria-hidden="true">/</span>
        <code className="font-mono text-xs break-all">{lane.path}</code>
        <CopyButton text={lane.path} label="Copy the path" />
      </p>
      <p>
        {lane.branch ? <code className="font-mono text-xs text-ink">{lane.branch}</code> : "detached"}
        {standing(lane) && <> · {standing(lane)}</>}
        {lane.ports && (
          <>
            {" "}
            · ports {lane.ports.start}–{lane.ports.end}
          </>
        )}
      </p>
      {[...lane.missing, ...lane.notices].map((words) => (
        <p key={words} className="text-need">
          {words}
        </p>
      ))}
      <SessionList ids={lane.sessions} />
    </div>
  );
}

function LaneTabs({ lane }: { lane: Lane }) {
  const [chosen, choose] = useState("changes");
  const tabs = [
    { id: "changes", name: "Changes", content: () => <LaneChanges lane={lane} /> },
    { id: "conflicts", name: "Conflicts", content: () => <Conflicts lane={lane} /> },
    ...(lane.setup.state === "none"
      ? []
      : [{ id: "setup", name: "Set-up", content: () => <SetupLogView lane={lane} /> }]),
  ];
  return <Tabs label="Of the lane" tabs={tabs} chosen={chosen} onChoose={choose} />;
}
