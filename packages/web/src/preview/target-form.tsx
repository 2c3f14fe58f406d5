import { AppWindow } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useCell } from "../store/cell.ts";
import { toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Empty } from "../ui/display/empty.tsx";
import { previewTargets } from "./preview-state.ts";
import { showTarget } from "./use-preview.ts";

const MAX_RECENT = 4;

/** Asks for the dev server to show. */
export function TargetForm({ session }: { session: string }) {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const recent = [...new Set(Object.values(useCell(previewTargets)))].reverse().slice(0, MAX_RECENT);
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
      <p>Start the project's dev server, then enter its port or address. Only servers on this machine can be shown.</p>
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
