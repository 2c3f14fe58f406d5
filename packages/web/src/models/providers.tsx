import type { ProviderRow, ProviderTest } from "@gantry/protocol";
import { KeyRound, Plus, Stethoscope, Trash2 } from "lucide-react";
import { useState } from "react";
import { scanAgents } from "../store/agents.ts";
import { client } from "../store/connection/client.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { LoadError } from "../ui/display/load-error.tsx";
import { Dialog } from "../ui/layout/dialog.tsx";
import { useAttempt } from "../ui/load/attempt.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { ProviderForm, testText } from "./provider-form.tsx";

/** Keys and servers of Gantry's own agent: add, test, remove. */
export function Providers() {
  const { value, error, reload } = useQuery("providers", () => client.models.providers());
  const [adding, setAdding] = useState<{ provider?: string }>();
  const refresh = () => {
    reload();
    void scanAgents(true);
  };
  return (
    <section aria-label="Providers and keys">
      <header className="flex items-center gap-2 pb-1.5">
        <h2 className="grow text-sm font-semibold">Providers and keys</h2>
        <Button icon={<Plus size={14} />} onClick={() => setAdding({})}>
          Add provider
        </Button>
      </header>
      <p className="pb-2 text-xs text-faint">
        For Gantry's own agent. The other agents use their own logins. Keys are stored on the daemon's machine and never
        shown again.
      </p>
      {error !== undefined && !value && <LoadError error={error} onRetry={reload} />}
      {value?.providers.length === 0 && (
        <p className="rounded-lg border border-line px-3 py-2 text-soft">
          No provider yet. Add one with its key to use its models.
        </p>
      )}
      {value && value.providers.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line">
          {value.providers.map((row) => (
            <ProviderLine
              key={row.provider}
              row={row}
              onKey={() => setAdding({ provider: row.provider })}
              onChanged={refresh}
            />
          ))}
        </ul>
      )}
      {adding && <AddDialog {...adding} onClose={() => setAdding(undefined)} onChanged={refresh} />}
    </section>
  );
}

type AddDialogProps = { provider?: string; onClose: () => void; onChanged: () => void };

function AddDialog({ provider, onClose, onChanged }: AddDialogProps) {
  const done = (name: string, test: ProviderTest | undefined) => {
    onChanged();
    onClose();
    if (test && !test.ok)
      toast({ tone: "error", text: `${name} was stored, but the test failed.`, remedy: testText(test) });
    else toast({ tone: "info", text: `${name} was added.`, remedy: test && testText(test) });
  };
  return (
    <Dialog title={provider ? `Key of ${provider}` : "Add a provider"} onClose={onClose}>
      <ProviderForm provider={provider} onDone={done} />
    </Dialog>
  );
}

type ProviderLineProps = { row: ProviderRow; onKey: () => void; onChanged: () => void };

function ProviderLine({ row, onKey, onChanged }: ProviderLineProps) {
  const { provider, models, ready, inFile, source, storedKey } = row;
  const { attempt, busy } = useAttempt();
  const [result, setResult] = useState<ProviderTest>();
  const test = () => attempt(() => client.models.testProvider(provider).then(setResult, toastError));
  const remove = async () => {
    try {
      await client.models.removeProvider(provider, { keys: "1" });
      toast({ tone: "info", text: `${provider} was removed.` });
    } catch (error) {
      toastError(error);
    }
    onChanged();
  };
  return (
    <li aria-label={provider} className="px-3 py-1.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <span className="font-medium">{provider}</span>
        <Badge tone={ready ? "good" : "need"}>{ready ? "Ready" : "Key required"}</Badge>
        <span className="min-w-0 grow truncate text-xs text-faint">
          {[`${models} ${models === 1 ? "model" : "models"}`, source, inFile ? "models.yml" : undefined]
            .filter(Boolean)
            .join(" · ")}
        </span>
        <Button
          look="quiet"
          aria-label={`Test ${provider}`}
          icon={<Stethoscope size={14} />}
          disabled={busy}
          onClick={test}
        >
          {busy ? "Testing…" : "Test"}
        </Button>
        <Button look="quiet" aria-label={`Set the key of ${provider}`} icon={<KeyRound size={14} />} onClick={onKey}>
          Key
        </Button>
        {(inFile || storedKey) && (
          <Button look="quiet" label={`Remove ${provider}`} icon={<Trash2 size={14} />} onClick={() => void remove()} />
        )}
      </div>
      <p role="status" className={result?.ok ? "text-xs text-good empty:hidden" : "text-xs text-bad empty:hidden"}>
        {result && testText(result)}
      </p>
    </li>
  );
}
