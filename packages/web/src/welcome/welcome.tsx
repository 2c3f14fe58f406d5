import { groupAgents } from "../agents/agent-status.ts";
import { MissingAgents } from "../agents/missing-agents.tsx";
import { agents } from "../store/agents.ts";
import { useCell } from "../store/cell.ts";
import { Keys } from "../ui/controls/keys.tsx";
import { DemoCard } from "./demo-card.tsx";
import { ReadyAgents } from "./ready-agents.tsx";

/** Shown on the board until there is a session: what Gantry is, the installed agents, and a demo. */
export function Welcome() {
  const rows = useCell(agents).filter((row) => !row.demo);
  const { here, missing } = groupAgents(rows);
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-col gap-8 px-6 py-12">
      <div className="flex flex-col gap-2">
        <h2 className="text-xl font-semibold tracking-tight">All your coding agents in one place</h2>
        <p className="max-w-prose text-base text-soft">
          Gantry runs them in sessions that survive restarts, shows what each one is doing, and collects everything they
          ask you in one inbox.
        </p>
      </div>
      <div className="flex flex-col gap-3">
        <DemoCard />
        <KeyHints />
      </div>
      <ReadyAgents rows={here} />
      {missing.length > 0 && (
        <section aria-label="Install an agent">
          <h3 className="pb-2 text-sm font-semibold">
            {here.length > 0 ? "Install another agent" : "Install an agent"}
          </h3>
          <MissingAgents rows={missing} />
        </section>
      )}
    </div>
  );
}

const hints = [
  ["c", "New session"],
  ["mod+k", "Command palette"],
  ["g i", "Inbox"],
  ["?", "All shortcuts"],
] as const;

function KeyHints() {
  return (
    <p className="flex flex-wrap gap-x-6 gap-y-1 text-xs text-faint">
      {hints.map(([keys, does]) => (
        <span key={keys} className="flex items-center gap-1.5">
          <span className="text-ink">
            <Keys keys={keys} />
          </span>
          <span className="sr-only">{keys}</span> {does}
        </span>
      ))}
    </p>
  );
}
