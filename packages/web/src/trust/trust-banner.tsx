import type { FolderTrust, TrustItem, TrustKind } from "@gantry/protocol";
import { ShieldQuestion } from "lucide-react";
import { client } from "../store/connection/client.ts";
import { toast, toastError } from "../store/toasts.ts";
import { Button } from "../ui/controls/button.tsx";
import { useQuery } from "../ui/load/use-query.ts";
import { ExactText } from "../ui/text/exact-text.tsx";
import { PathText } from "../ui/text/path-text.tsx";

/** What a session in a plain folder could meet. The others belong to lanes and landings. */
const OF_SESSIONS: ReadonlySet<TrustKind> = new Set([
  "language-server",
  "mcp-server",
  "kernel",
  "program",
  "agent-config",
  "extension",
]);

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
  extension: "Extension",
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
      className="flex items-start gap-3 border-b border-line bg-need-wash px-4 py-2.5 text-sm"
    >
      <ShieldQuestion size={16} className="mt-0.5 shrink-0 text-need" aria-hidden="true" />
      <div className="flex min-w-0 grow flex-wrap items-start gap-x-8 gap-y-2.5">
        <div className="min-w-0 grow basis-64">
          <p>
            <b className="font-semibold">
              {found.state === "changed"
                ? "What this folder runs has changed."
                : "This folder supplies programs to run."}
            </b>{" "}
            They do not run until you trust <PathText path={found.path} className="text-xs" />.
          </p>
          <ItemList items={items} />
        </div>
        <div className="flex gap-2">
          <Button look="primary" onClick={() => void decide("trust")}>
            Trust
          </Button>
          <Button onClick={() => void decide("later")}>Not now</Button>
        </div>
      </div>
    </section>
  );
}

/** Every item in full: a command must be readable to its end before it is trusted. A long list scrolls. */
function ItemList({ items }: { items: readonly TrustItem[] }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would draw a border, and nothing in it is a field.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <div role="group" aria-label="What would run" tabIndex={0} className="mt-1.5 max-h-[30vh] overflow-y-auto">
      <ul className="flex flex-col gap-1 text-soft">
        {items.map((item) => (
          <li
            key={`${item.kind} ${item.name} ${item.file} ${item.command}`}
            title={item.file}
            className="flex gap-x-3 max-sm:flex-col"
          >
            <span className="shrink-0 sm:w-72">
              <ItemName item={item} />
            </span>
            <code className="min-w-0 pt-px font-mono text-xs wrap-anywhere text-ink">
              <ExactText text={item.command} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ItemName({ item: { kind, name } }: { item: TrustItem }) {
  if (kind === "agent-config") {
    const [first, ...others] = name.split(", ");
    return (
      <span title={name}>
        Configuration of <ExactText text={first ?? ""} />
        {others.length > 0 && ` and ${others.length} ${others.length === 1 ? "other" : "others"}`}
      </span>
    );
  }
  if (name === kind) return kindNames[kind];
  return (
    <>
      {kindNames[kind]} <ExactText text={name} />
    </>
  );
}

/** A lane whose repository has the same content is trusted through the repository, so that it covers later lanes. */
async function findQuestion(folder: string): Promise<FolderTrust> {
  const own = await client.trust.get(folder);
  return own.target === own.path ? own : client.trust.get(own.target);
}
