import type { Lane } from "@gantry/protocol";
import { Merge } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { client } from "../../store/connection/client.ts";
import { TrustBanner } from "../../trust/trust-banner.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Tabs } from "../../ui/controls/tabs.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { View } from "../../ui/layout/view.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { ConflictList } from "../conflicts/conflict-list.tsx";
import { LandDialog } from "../dialogs/land-dialog.tsx";
import { LaneMenu } from "../lane-menu.tsx";
import { baseStatus } from "../lane-text.ts";
import { SessionList } from "../session-list.tsx";
import { useWorkTreeChanges } from "../use-lanes.ts";
import { LaneChanges } from "./lane-changes.tsx";
import { SetupLogView } from "./setup-log.tsx";

/** One lane: its changes, its conflicts with other lanes, and its set-up log. */
export default function LanePage({ id }: { id: string }) {
  const { value: lane, error, reload } = useQuery(id, () => client.call("getLane", { params: { id: id } }));
  useWorkTreeChanges(reload);
  const [, go] = useLocation();
  const [landing, setLanding] = useState(false);
  if (error !== undefined && !lane)
    return (
      <View title="Lane">
        <LoadError error={error} onRetry={reload} />
      </View>
    );
  if (!lane) return <p className="m-auto text-faint">Loading the lane…</p>;
  const actions = (
    <>
      {lane.kind !== "primary" && (
        <Button
          look="primary"
          icon={<Merge size={14} />}
          disabled={lane.state !== "ready"}
          onClick={() => setLanding(true)}
        >
          Land…
        </Button>
      )}
      <LaneMenu lane={lane} onChanged={reload} />
    </>
  );
  return (
    <View title={lane.name} actions={actions} wide>
      <TrustBanner folder={lane.path} of="lane" onTrusted={reload} />
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
        <CopyButton text={lane.path} label="Copy path" />
      </p>
      <p>
        {lane.branch ? <code className="font-mono text-xs text-ink">{lane.branch}</code> : "detached"}
        {baseStatus(lane) && <> · {baseStatus(lane)}</>}
        {lane.ports && (
          <>
            {" "}
            · ports {lane.ports.start}–{lane.ports.end}
          </>
        )}
      </p>
      {[...lane.missing, ...lane.notices].map((text) => (
        <p key={text} className="text-need">
          {text}
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
    { id: "conflicts", name: "Conflicts", content: () => <ConflictList lane={lane} /> },
    ...(lane.setup.state === "none"
      ? []
      : [{ id: "setup", name: "Set-up", content: () => <SetupLogView lane={lane} /> }]),
  ];
  return <Tabs label="Lane details" tabs={tabs} chosen={chosen} onChoose={choose} />;
}
