import type { AgentRow } from "@gantry/protocol";
import { Download } from "lucide-react";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { useRunOffer } from "./offers/use-run-offer.ts";

/** Agents that could be installed, each with the command that does it. */
export function MissingAgents({ rows }: { rows: readonly AgentRow[] }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(19rem,1fr))] gap-2">
      {rows.map((row) => (
        <MissingAgent key={row.id} row={row} />
      ))}
    </ul>
  );
}

function MissingAgent({ row }: { row: AgentRow }) {
  const run = useRunOffer();
  const offer = row.offers.find(({ kind }) => kind === "install");
  const how = offer?.display ?? row.problems[0]?.fix ?? "";
  return (
    <li className="flex items-center gap-1 rounded-lg border border-line bg-surface py-1.5 pr-1.5 pl-3">
      <div className="min-w-0 grow">
        <h3 className="truncate text-sm font-medium">{row.name}</h3>
        <code title={how} className="block truncate font-mono text-2xs text-faint">
          {how}
        </code>
      </div>
      <CopyButton text={how} label={`Copy how ${row.name} is installed`} />
      {offer && (
        <Button
          aria-label={offer.title}
          title="Run in a terminal"
          icon={<Download size={14} />}
          onClick={() => run(offer)}
        >
          Install
        </Button>
      )}
    </li>
  );
}
