import { RefreshCw } from "lucide-react";
import { useMemo } from "react";
import { agents, landed, scanAgents, scanning } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { Button } from "../ui/controls/button.tsx";
import { View } from "../ui/layout/view.tsx";
import { AgentCard } from "./card/agent-card.tsx";
import { groupAgents } from "./groups.ts";
import { MissingAgents } from "./missing-agents.tsx";
import { OfferPanel } from "./offers/offer-panel.tsx";
import { useOfferInAddress } from "./offers/use-offer-in-address.ts";

/** The agents of this machine and how they stand, those that could be installed, and the terminals that do it. */
export default function Agents() {
  const rows = useCell(agents);
  const meant = useOfferInAddress();
  const { here, missing } = useMemo(() => groupAgents(rows), [rows]);
  return (
    <div className="flex min-h-0 grow flex-col">
      <View title="Agents" actions={<Rescan total={rows.length} />}>
        <div className="flex flex-col gap-3">
          {here.map((row) => (
            <AgentCard key={row.id} row={row} meant={row.id === meant} />
          ))}
          {rows.length === 0 && <p className="text-faint">Looking for agents on this machine …</p>}
        </div>
        {missing.length > 0 && (
          <section aria-label="More agents you can install" className="pt-8">
            <h2 className="pb-2 text-sm font-semibold">More agents you can install</h2>
            <MissingAgents rows={missing} />
          </section>
        )}
      </View>
      <OfferPanel />
    </div>
  );
}

function Rescan({ total }: { total: number }) {
  const busy = useCell(scanning);
  const count = useCell(landed);
  return (
    <>
      <span role="status" className="text-xs text-faint tabular-nums">
        {busy && `Asked ${count} of ${Math.max(total, count)}`}
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
