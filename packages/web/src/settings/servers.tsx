import type { McpServerRow } from "@gantry/protocol";
import { Plus, Server } from "lucide-react";
import { useState } from "react";
import { client } from "../store/client.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { Problems } from "./problems.tsx";
import { ServerDialog } from "./server-dialog.tsx";
import { SettingRow } from "./setting-row.tsx";

/** MCP servers that every agent is given, each by its own means. */
export function Servers() {
  const { value, error, reload } = useQuery("servers", client.servers.list);
  const [adding, setAdding] = useState(false);
  if (error) return <LoadError error={error} onRetry={reload} />;
  if (!value) return null;
  return (
    <>
      <div className="mb-2 flex items-center gap-3">
        <p className="grow text-soft">Agents get these when they next start; none of their own files is written.</p>
        <Button icon={<Plus size={14} />} onClick={() => setAdding(true)}>
          Add a server
        </Button>
      </div>
      <Problems problems={value.problems} />
      {value.servers.length === 0 && (
        <Empty title="No servers yet" icon={<Server size={28} strokeWidth={1.5} />}>
          <p>
            A server of the Model Context Protocol gives agents more tools: one entry here, and all of them have it.
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
  const [sure, setSure] = useState(false);
  const remove = async () => {
    if (!sure) return setSure(true);
    await client.servers.delete(server.name).catch(toastError);
    onRemoved();
  };
  const word = sure ? "Really remove" : "Remove";
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
      {!server.enabled && <Badge>off</Badge>}
      <Button look={sure ? "danger" : "plain"} aria-label={`${word} ${server.name}`} onClick={() => void remove()}>
        {word}
      </Button>
    </SettingRow>
  );
}
