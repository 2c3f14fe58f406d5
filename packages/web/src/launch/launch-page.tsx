import type { Launch } from "@gantry/protocol";
import { CircleStop, Columns3, Gauge } from "lucide-react";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { useWorkTreeChanges } from "../lanes/use-lanes.ts";
import { client } from "../store/connection/client.ts";
import { toastError } from "../store/toasts.ts";
import { tilesPath } from "../tiles/tile-list.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { View } from "../ui/layout/view.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { ComparisonView } from "./compare/comparison-view.tsx";
import { useSlotStatuses } from "./launch-list.tsx";
import { LaunchProgress } from "./launch-progress.tsx";

const POLL_MS = 800;

/** One launch: the progress of each agent, then their results side by side. */
export default function LaunchPage({ id }: { id: string }) {
  const { value: launch, error, reload } = useQuery(id, () => client.call("getLaunch", { params: { id } }));
  useLaunchPolling(launch, reload);
  useWorkTreeChanges(reload);
  if (!launch)
    return (
      <View title="Launch">
        {error === undefined ? <p className="text-faint">Loading…</p> : <LoadError error={error} onRetry={reload} />}
      </View>
    );
  const cancel = () => client.call("cancelLaunch", { params: { id }, query: {} }).then(reload, toastError);
  const actions = (
    <>
      {launch.slots.length > 1 && launch.state !== "failed" && <TilesButton launch={launch} />}
      {!isFinished(launch) && (
        <Button icon={<CircleStop size={14} />} onClick={() => void cancel()}>
          Cancel launch
        </Button>
      )}
    </>
  );
  return (
    <View title={launch.name} actions={actions} wide>
      <HeldBanner launch={launch} />
      <p className="mb-4 max-w-3xl text-soft">
        <span className="line-clamp-3 whitespace-pre-wrap">{launch.prompt}</span>
      </p>
      {launch.state === "failed" && launch.error && (
        <p role="alert" className="mb-4 rounded-lg border border-bad/40 bg-bad-wash px-4 py-3">
          <b className="font-medium text-bad">{launch.error.message}</b> Nothing was sent, and its lanes were removed.{" "}
          {launch.error.remedy}
        </p>
      )}
      {launch.state === "cancelled" && (
        <p className="mb-4">
          <Badge>Cancelled</Badge>
        </p>
      )}
      {isStarted(launch) ? <LaunchComparison launch={launch} /> : <LaunchProgress launch={launch} />}
    </View>
  );
}

/** Opens the live transcripts of the launch side by side. */
function TilesButton({ launch: { slots } }: { launch: Launch }) {
  const [, go] = useLocation();
  return (
    <Button icon={<Columns3 size={14} />} onClick={() => go(tilesPath(slots.map(({ session }) => session)))}>
      Side by side
    </Button>
  );
}

/** Shows what holds agents of the launch, and until when. */
function HeldBanner({ launch }: { launch: Launch }) {
  const statuses = useSlotStatuses(launch);
  const held = statuses.filter(({ group }) => group === "held");
  const [first] = held;
  if (!first) return null;
  return (
    <p role="status" className="mb-4 flex items-center gap-2 rounded-lg bg-need-wash px-3 py-2">
      <Gauge size={14} aria-hidden="true" className="shrink-0 text-need" />
      <span>
        <b className="font-medium text-need">
          {held.length} of {statuses.length} held.
        </b>{" "}
        {first.detail ?? first.reason}.
      </span>
    </p>
  );
}

/** Polls while lanes and sessions are created, because that causes no events. */
function useLaunchPolling(launch: Launch | undefined, reload: () => void): void {
  const creating = launch !== undefined && !isStarted(launch) && !isFinished(launch);
  useEffect(() => {
    if (!creating) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [creating, reload]);
}

function LaunchComparison({ launch }: { launch: Launch }) {
  const { value, error, reload } = useQuery(`${launch.id} ${launch.updatedAt}`, () =>
    client.call("compareLaunch", { params: { id: launch.id }, query: {} }),
  );
  useWorkTreeChanges(reload);
  if (error !== undefined) return <LoadError error={error} onRetry={reload} />;
  if (!value) return <LaunchProgress launch={launch} />;
  return (
    <ComparisonView
      comparison={value}
      onChanged={reload}
      onCheck={(command) =>
        client.call("checkLaunch", { params: { id: launch.id }, body: command ? { command } : {} }).then(reload)
      }
    />
  );
}

function isStarted({ state }: Launch): boolean {
  return state === "sent" || state === "running" || state === "settled";
}

function isFinished({ state }: Launch): boolean {
  return state === "settled" || state === "failed" || state === "cancelled";
}
