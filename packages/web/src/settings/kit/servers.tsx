import type { McpServerRow } from "@gantry/protocol";
import { Plus, Server } from "lucide-react";
import { useState } from "react";
import { client } from "../../store/connection/client.ts";
import { toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { Empty } from "../../ui/display/empty.tsx";
import { LoadError } from "../../ui/display/load-error.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { SettingRow } from "../setting-row.tsx";
import { ProblemList } from "./problem-list.tsx";
import { ServerDialog } from "./server-dialog.tsx";

/** MCP servers that Gantry passes to every agent. */
export function Servers() {
  const { value, error, reload } = useQuery("servers", client.servers.list);
  const [adding, setAdding] = useState(false);
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (!value) return null;
  return (
    <>
      <div className="mb-2 flex items-center gap-3">
        <p className="grow text-soft">
          Agents receive these at their next start. Their own configuration files are not changed.
        </p>
        <Button icon={<Plus size={14} />} onClick={() => setAdding(true)}>
          Add server
        </Button>
      </div>
      <ProblemList problems={value.problems} />
      {value.servers.length === 0 && (
        <Empty title="No servers yet" icon={<Server size={28} strokeWidth={1.5} />}>
          <p>
            A Model Context Protocol server gives agents more tools. Servers you add here are available to all agents.
          </p>
        </Empty>
      )}
      {value.servers.map((server) => (
        <ServerRow key={server.name} server={server} onRemoved={reload} />
      ))}
      {adding && <ServerDialog onClose={() => setAdding(false)} onSaved={reload} />}
    </>
  );
}

function ServerRow({ server, onRemoved }: { server: McpServerRow; onRemoved: () => void }) {
  const [confirming, setConfirming] = useState(false);
  const remove = async () => {
    if (!confirming) return setConfirming(true);
    await client.servers.delete(server.name).catch(toastError);
    onRemoved();
  };
  const label = confirming ? "Confirm removal of" : "Remove";
  const names = [...(server.env ?? []), ...(server.headers ?? [])];
  const about = (
    <>
      <code className="font-mono break-all">{server.url ?? server.command?.join(" ")}</code>
      {names.length > 0 && <span> · with {names.join(", ")}</span>}
      {server.agents && <span> · only for {server.agents.join(", ")}</span>}
    </>
  );
  return (
    <SettingRow name={server.name} about={about}>
      {!server.enabled && <Badge>Off</Badge>}
      <Button
        look={confirming ? "danger" : "plain"}
        aria-label={`${label} ${server.name}`}
        onClick={() => void remove()}
      >
        {confirming ? "Confirm removal" : "Remove"}
      </Button>
    </SettingRow>
  );
}
