import type { AvailableAgent } from "@gantry/protocol";
import { Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { scanAgents } from "../store/agents.ts";
import { client } from "../store/connection/client.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";

type Listing = Awaited<ReturnType<typeof client.profiles.available>>;

/** Agents of the public ACP registry that Gantry does not have: each can be added as a profile, then installed. */
export function AvailableAgents() {
  const [listing, setListing] = useState<Listing>();
  const load = () => void client.profiles.available().then(setListing, () => undefined);
  useEffect(load, []);
  const rows = listing?.agents.filter(({ builtIn, added }) => !builtIn && !added) ?? [];
  if (!listing || rows.length === 0) return null;
  const add = async (agent: AvailableAgent) => {
    try {
      await client.profiles.put(agent.id, agent.profile);
      load();
      await scanAgents();
    } catch (error) {
      toastError(error);
    }
  };
  return (
    <details className="pt-8">
      <summary className="cursor-pointer pb-2 text-sm font-semibold">Agents of the public registry</summary>
      <p className="pb-2 text-xs text-faint">
        Programs that speak the Agent Client Protocol, as listed on {listing.copied}. Adding one creates a profile;
        nothing is downloaded before you install it.
      </p>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(19rem,1fr))] gap-2">
        {rows.map((agent) => (
          <Row key={agent.id} agent={agent} onAdd={() => void add(agent)} />
        ))}
      </ul>
    </details>
  );
}

function Row({ agent, onAdd }: { agent: AvailableAgent; onAdd: () => void }) {
  return (
    <li className="flex items-center gap-1 rounded-lg border border-line bg-surface py-1.5 pr-1.5 pl-3">
      <div className="min-w-0 grow">
        <h3 className="truncate text-sm font-medium">
          <a href={agent.website} target="_blank" rel="noreferrer noopener">
            {agent.name}
          </a>{" "}
          <span className="text-2xs text-faint">
            {agent.version}, {agent.license}
          </span>
        </h3>
        <p title={agent.description} className="truncate text-2xs text-faint">
          {agent.description}
        </p>
      </div>
      <Button aria-label={`Add ${agent.name}`} icon={<Plus size={14} />} onClick={onAdd}>
        Add
      </Button>
    </li>
  );
}
