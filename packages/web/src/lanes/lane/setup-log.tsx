import type { Lane } from "@gantry/protocol";
import { useEffect } from "react";
import { client } from "../../store/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Output } from "../../transcript/output/output.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { Preformatted } from "../../ui/display/preformatted.tsx";
import { useQuery } from "../../ui/load/use-query.ts";

const LOOK_AGAIN_MS = 1000;
const endings = { none: "Nothing to do", running: "Running …", ok: "Done", failed: "Failed", timeout: "Took too long" };

/** What the repository's set-up command said, while it runs too. */
export function SetupLogView({ lane }: { lane: Lane }) {
  const { value, error, reload } = useQuery(lane.id, () => client.call("laneSetup", { params: { id: lane.id } }));
  const running = value?.state === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(reload, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [running, reload]);
  if (error !== undefined) return <LoadError error={error} onRetry={reload} />;
  if (!value) return <p className="text-faint">Reading …</p>;
  return (
    <>
      <p className="mb-2 flex items-center gap-3">
        <code className="min-w-0 grow truncate font-mono text-xs">{value.command}</code>
        <span className="text-soft">
          {endings[value.state]}
          {value.exitCode !== undefined && value.exitCode !== 0 && ` with code ${value.exitCode}`}
        </span>
        <Button
          disabled={running}
          onClick={() => client.call("runLaneSetup", { params: { id: lane.id } }).then(reload, toastError)}
        >
          Run it again
        </Button>
      </p>
      <div className="overflow-hidden rounded-md border border-line bg-sunken">
        <Preformatted label="Output of the set-up" className="max-h-[60vh] px-3 py-2">
          <Output text={value.log} />
        </Preformatted>
      </div>
    </>
  );
}
