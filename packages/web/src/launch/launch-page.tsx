import type { Launch } from "@gantry/protocol";
import { CircleStop } from "lucide-react";
import { useEffect } from "react";
import { useWhenMoved } from "../lanes/use-lanes.ts";
import { client } from "../store/client.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { View } from "../ui/layout/view.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { ComparisonView } from "./compare/comparison-view.tsx";
import { LaunchProgress } from "./launch-progress.tsx";

const LOOK_AGAIN_MS = 800;

/** One launch: how far each agent is, and then what they made of it, side by side. */
export default function LaunchPage({ id }: { id: string }) {
  const { value: launch, error, reload } = useQuery(id, () => client.call("getLaunch", { params: { id } }));
  useWhileMaking(launch, reload);
  useWhenMoved(reload);
  if (!launch)
    return (
      <View title="Launch">
        {error === undefined ? <p className="text-faint">Looking …</p> : <LoadError error={error} onRetry={reload} />}
      </View>
    );
  const cancel = () => client.call("cancelLaunch", { params: { id }, query: {} }).then(reload, toastError);
  const actions = isOver(launch) ? undefined : (
    <Button icon={<CircleStop size={14} />} onClick={() => void cancel()}>
      Cancel the launch
    </Button>
  );
  return (
    <View title={launch.name} actions={actions} wide>
      <p className="mb-4 max-w-3xl text-soft">
        <span className="line-clamp-3 whitespace-pre-wrap">{launch.prompt}</span>
      </p>
      {launch.state === "failed" && launch.error && (
        <p role="alert" className="mb-4 rounded-lg border border-bad/40 bg-bad-wash px-4 py-3">
          <b className="font-medium text-bad">{launch.error.message}</b> Nothing was sent, and what was made is gone
          again. {launch.error.remedy}
        </p>
      )}
      {launch.state === "cancelled" && (
        <p className="mb-4">
          <Badge>cancelled</Badge>
        </p>
      )}
      {isMade(launch) ? <Compared launch={launch} /> : <LaunchProgress launch={launch} />}
    </View>
  );
}

/** While lanes and sessions are made there is no event to wake us. */
function useWhileMaking(launch: Launch | undefined, reload: () => void): void {
  const making = launch !== undefined && !isMade(launch) && !isOver(launch);
  useEffect(() => {
    if (!making) return;
    const timer = setInterval(reload, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [making, reload]);
}

function Compared({ launch }: { launch: Launch }) {
  const { value, error, reload } = useQuery(`${launch.id} ${launch.updatedAt}`, () =>
    client.call("compareLaunch", { params: { id: launch.id }, query: {} }),
  );
  useWhenMoved(reload);
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

function isMade({ state }: Launch): boolean {
  return state === "sent" || state === "running" || state === "settled";
}

function isOver({ state }: Launch): boolean {
  return state === "settled" || state === "failed" || state === "cancelled";
}
