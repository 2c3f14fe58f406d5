import type { Lane } from "@gantry/protocol";
import { useEffect } from "react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Output } from "../../transcript/output/output.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { Preformatted } from "../../ui/display/preformatted.tsx";
import { useQuery } from "../../ui/load/use-query.ts";

const POLL_MS = 1000;
const stateNames = {
  none: "No set-up",
  untrusted: "Not run: not trusted",
  running: "Running…",
  ok: "Done",
  failed: "Failed",
  timeout: "Timed out",
};

/** The output of the repository's set-up command, updated while it runs. */
export function SetupLogView({ lane }: { lane: Lane }) {
  const { value, error, reload } = useQuery(lane.id, () => client.call("laneSetup", { params: { id: lane.id } }));
  const running = value?.state === "running";
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(reload, POLL_MS);
    return () => clearInterval(timer);
  }, [running, reload]);
  if (error !== undefined) return <LoadError error={error} onRetry={reload} />;
  if (!value) return <p className="text-faint">Loading…</p>;
  return (
    <>
      <p className="mb-2 flex items-center gap-3">
        <code className="min-w-0 grow truncate font-mono text-xs">{value.command}</code>
        <span className="text-soft">
          {stateNames[value.state]}
          {value.exitCode !== undefined && value.exitCode !== 0 && ` with code ${value.exitCode}`}
        </span>
        <Button
          disabled={running}
          onClick={() => client.call("runLaneSetup", { params: { id: lane.id } }).then(reload, toastError)}
        >
          Run again
        </Button>
      </p>
      <div className="overflow-hidden rounded-md border border-line bg-sunken">
        <Preformatted label="Set-up output" className="max-h-[60vh] px-3 py-2">
          <Output text={value.log} />
        </Preformatted>
      </div>
    </>
  );
}
