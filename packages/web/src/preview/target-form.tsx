import type { DevServer } from "@gantry/protocol";
import { AppWindow } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useCell } from "../store/cell.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { previewTabs } from "./preview-state.ts";
import { showTarget } from "./use-preview.ts";
import { useServers } from "./use-servers.ts";

const MAX_RECENT = 4;

/** Asks for the dev server to show. */
export function TargetForm({ session }: { session: string }) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const { [session]: own, ...others } = useCell(previewTabs);
  const known = new Set(Object.values(others).flatMap(({ targets }) => targets));
  const recent = [...known]
    .filter((target) => !own?.targets.includes(target))
    .slice(-MAX_RECENT)
    .reverse();
  const servers = useServers(session, true);
  const show = async (target: string) => {
    setBusy(true);
    await showTarget(session, target).catch(toastError);
    setBusy(false);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim()) void show(typed);
  };
  return (
    <Empty title="Preview your app" icon={<AppWindow size={28} />}>
      {servers.length === 0 ? (
        <p>
          Start the project's dev server, then enter its port or address. Only servers on this machine can be shown.
        </p>
      ) : (
        <ServerList servers={servers} busy={busy} onShow={(url) => void show(url)} />
      )}
      <form onSubmit={onSubmit} className="flex w-full gap-2">
        <input
          aria-label="Dev server"
          placeholder="5173, or localhost:3000/admin"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          spellCheck={false}
          autoComplete="off"
          className="h-7 min-w-0 grow rounded-md border border-line-strong bg-surface px-2 font-mono text-xs text-ink"
        />
        <Button type="submit" look="primary" disabled={busy || !typed.trim()}>
          Show
        </Button>
      </form>
      {recent.length > 0 && (
        <ul aria-label="Recent" className="flex flex-wrap justify-center gap-1.5">
          {recent.map((target) => (
            <li key={target}>
              <Button disabled={busy} onClick={() => void show(target)} className="font-mono text-xs">
                {target.replace(/^http:\/\//, "")}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  );
}

type ServerListProps = { servers: readonly DevServer[]; busy: boolean; onShow: (url: string) => void };

function ServerList({ servers, busy, onShow }: ServerListProps) {
  return (
    <ul aria-label="Running servers" className="flex w-full flex-col gap-1.5">
      {servers.map(({ port, url, command }) => (
        <li key={port}>
          <button
            type="button"
            disabled={busy}
            onClick={() => onShow(url)}
            className="flex w-full flex-col rounded-md border border-line bg-surface px-3 py-1.5 text-left pointer-coarse:min-h-11 hover:bg-hover"
          >
            <span className="flex items-center gap-2 font-mono text-xs font-medium text-ink">
              <span aria-hidden="true" className="size-1.5 shrink-0 rounded-full bg-good" />
              {url.replace(/^http:\/\//, "").replace(/\/$/, "")}
            </span>
            {command && <span className="w-full truncate pl-3.5 font-mono text-2xs text-faint">{command}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
