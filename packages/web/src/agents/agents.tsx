import { RefreshCw } from "lucide-react";
import { useMemo } from "react";
import { agents, scanAgents, scannedCount, scanning } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { Button } from "../ui/controls/button.tsx";
import { View } from "../ui/layout/view.tsx";
import { groupAgents } from "./agent-status.ts";
import { AvailableAgents } from "./available-agents.tsx";
import { AgentCard } from "./card/agent-card.tsx";
import { MissingAgents } from "./missing-agents.tsx";
import { SetupPanel } from "./setup/setup-panel.tsx";
import { useSetupFromUrl } from "./setup/use-setup-from-url.ts";

/** The agents on this machine, those that can be installed, and the terminals of running setup commands. */
export default function Agents() {
  const rows = useCell(agents);
  const highlighted = useSetupFromUrl();
  const { here, missing } = useMemo(() => groupAgents(rows), [rows]);
  return (
    <div className="flex min-h-0 grow flex-col">
      <View title="Agents" actions={<Rescan total={rows.length} />}>
        <div className="flex flex-col gap-3">
          {here.map((row) => (
            <AgentCard key={row.id} row={row} highlighted={row.id === highlighted} />
          ))}
          {rows.length === 0 && <p className="text-faint">Looking for agents on this machine…</p>}
        </div>
        {missing.length > 0 && (
          <section aria-label="More agents you can install" className="pt-8">
            <h2 className="pb-2 text-sm font-semibold">More agents you can install</h2>
            <MissingAgents rows={missing} />
          </section>
        )}
        <AvailableAgents />
      </View>
      <SetupPanel />
    </div>
  );
}

function Rescan({ total }: { total: number }) {
  const busy = useCell(scanning);
  const count = useCell(scannedCount);
  return (
    <>
      <span role="status" className="text-xs text-faint tabular-nums">
        {busy && `Checked ${count} of ${Math.max(total, count)}`}
      </span>
      <Button
        disabled={busy}
        icon={<RefreshCw size={14} className={busy ? "animate-spin" : undefined} />}
        onClick={() => void scanAgents(true)}
      >
        Rescan
      </Button>
    </>
  );
}
