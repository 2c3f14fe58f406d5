import type { FolderTrust, TrustItem, TrustKind } from "@gantry/protocol";
import { ShieldQuestion } from "lucide-react";
import { client } from "../store/connection/client.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { ExactText } from "../ui/text/exact-text.tsx";

/** What a session in a plain folder could meet. The others belong to lanes and landings. */
const OF_SESSIONS: ReadonlySet<TrustKind> = new Set([
  "language-server",
  "mcp-server",
  "kernel",
  "program",
  "agent-config",
]);
const SHOWN = 5;

const kindNames: Record<TrustKind, string> = {
  "language-server": "Language server",
  "mcp-server": "MCP server",
  kernel: "Interpreter",
  program: "Program",
  "search-path": "PATH entry",
  "setup-script": "Set-up command",
  check: "Check",
  hook: "Git hook",
  filter: "Git filter",
  "git-program": "Git setting",
  "agent-config": "Agent configuration",
};

type TrustBannerProps = { folder: string; of: "session" | "lane"; onTrusted?: () => void };

/** Asks once whether what a folder supplies may run. Shown until the user decides; “Not now” holds for this content. */
export function TrustBanner({ folder, of, onTrusted }: TrustBannerProps) {
  const { value: found, reload } = useQuery(folder, () => findQuestion(folder));
  if (!found || found.state === "trusted" || found.dismissed) return null;
  const items = found.items.filter(({ kind, trusted }) => !trusted && (of === "lane" || OF_SESSIONS.has(kind)));
  if (items.length === 0) return null;
  const decide = async (decision: "trust" | "later") => {
    const { path, digest } = found;
    try {
      await client.trust.put({ path, digest, decision });
      if (decision === "trust") {
        toast({ tone: "info", text: `${path} is trusted. You can revoke this in the settings.` });
        onTrusted?.();
      }
    } catch (error) {
      toastError(error);
    }
    reload();
  };
  return (
    <section
      aria-label="Trust"
      className="flex flex-wrap items-start gap-3 border-b border-line bg-need-wash px-4 py-2 text-sm"
    >
      <ShieldQuestion size={16} className="mt-0.5 shrink-0 text-need" aria-hidden="true" />
      <div className="min-w-0 grow basis-64">
        <p>
          <b className="font-semibold">
            {found.state === "changed" ? "What this folder runs has changed." : "This folder wants to run programs."}
          </b>{" "}
          They do not run until you trust <code className="font-mono text-xs break-all">{found.path}</code>.
        </p>
        <ItemList items={items} />
      </div>
      <div className="flex gap-2">
        <Button look="primary" onClick={() => void decide("trust")}>
          Trust
        </Button>
        <Button onClick={() => void decide("later")}>Not now</Button>
      </div>
    </section>
  );
}

function ItemList({ items }: { items: readonly TrustItem[] }) {
  return (
    <ul className="mt-1 flex flex-col gap-0.5 text-soft">
      {items.slice(0, SHOWN).map(({ kind, name, command, file }) => (
        <li key={`${kind} ${name} ${file} ${command}`} className="min-w-0 wrap-anywhere" title={file}>
          {kindNames[kind]} <ExactText text={name} />:{" "}
          <code className="font-mono text-xs break-all">
            <ExactText text={command} />
          </code>
        </li>
      ))}
      {items.length > SHOWN && <li>and {items.length - SHOWN} more</li>}
    </ul>
  );
}

/** A lane whose repository has the same content is trusted through the repository, so that it covers later lanes. */
async function findQuestion(folder: string): Promise<FolderTrust> {
  const own = await client.trust.get(folder);
  return own.target === own.path ? own : client.trust.get(own.target);
}
