import type { AgentRow } from "@gantry/protocol";
import { Download } from "lucide-react";
import { Button } from "../ui/controls/button.tsx";
import { CopyButton } from "../ui/controls/copy-button.tsx";
import { useRunSetup } from "./setup/run-setup.ts";

/** Agents that can be installed, each with its install command. */
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
  const run = useRunSetup();
  const offer = row.offers.find(({ kind }) => kind === "install");
  const instructions = offer?.display ?? row.problems[0]?.fix ?? "";
  return (
    <li className="flex items-center gap-1 rounded-lg border border-line bg-surface py-1.5 pr-1.5 pl-3">
      <div className="min-w-0 grow">
        <h3 className="truncate text-sm font-medium">{row.name}</h3>
        <code title={instructions} className="block truncate font-mono text-2xs text-faint">
          {instructions}
        </code>
      </div>
      <CopyButton text={instructions} label={`Copy install command for ${row.name}`} />
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
