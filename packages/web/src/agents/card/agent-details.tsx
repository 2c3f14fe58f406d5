import type { AgentRow, Mode } from "@gantry/protocol";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { modeNames } from "../../composer/choices/choices.ts";
import { client } from "../../store/connection/client.ts";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { Ago } from "../../ui/display/ago.tsx";
import { useQuery } from "../../ui/load/use-query.ts";
import { authText, capabilityLines, modelText, versionText } from "../agent-text.ts";
import { SetupCommand } from "../setup/setup-command.tsx";
import { Conversations } from "./conversations.tsx";

/** Everything Gantry knows about an agent. */
export function AgentDetails({ row }: { row: AgentRow }) {
  return (
    <div className="flex flex-col gap-4 border-t border-line px-4 py-3">
      <dl className="grid grid-cols-[7rem_1fr] gap-x-4 gap-y-1.5">
        <Fact name="Program">{row.path ? <Path path={row.path} /> : "not found"}</Fact>
        <Fact name="Version">{versionText(row)}</Fact>
        <Fact name="Login">{authText(row.auth)}</Fact>
        <Fact name="Channel">
          <code className="font-mono text-xs">{row.channel}</code>
        </Fact>
        <Fact name="Modes">
          {row.modes.map((mode) => modeNames[mode]).join(" · ")}
          <UnenforcedModes row={row} />
          <LackingModes row={row} />
        </Fact>
        <Fact name="Models">
          {modelText(row.models)}
          {row.models.items.length > 0 && (
            <Link href="/models" className="ml-2 text-accent underline underline-offset-2">
              View models
            </Link>
          )}
        </Fact>
        <Fact name="Capabilities">
          <ul>
            {capabilityLines(row).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Fact>
        {row.askedAt && (
          <Fact name="Last checked">
            <Ago at={row.askedAt} />
          </Fact>
        )}
      </dl>
      <Commands row={row} />
      {row.state === "ready" && <Conversations row={row} />}
    </div>
  );
}

function UnenforcedModes({ row }: { row: AgentRow }) {
  const reasons = Object.entries(row.unenforced ?? {}) as [Mode, string][];
  return reasons.map(([mode, reason]) => (
    <p key={mode} className="text-need">
      {modeNames[mode]} cannot be enforced. {reason}
    </p>
  ));
}

function LackingModes({ row }: { row: AgentRow }) {
  const reasons = Object.entries(row.lacks ?? {}) as [Mode, string][];
  return reasons.map(([mode, reason]) => (
    <p key={mode}>
      {modeNames[mode]} is not available. {reason}
    </p>
  ));
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 text-soft">{children}</dd>
    </>
  );
}

function Path({ path }: { path: string }) {
  return (
    <span className="flex items-center gap-1">
      <code className="min-w-0 truncate font-mono text-xs">{path}</code>
      <CopyButton text={path} label="Copy path" />
    </span>
  );
}

/** Setup commands that are optional now: reinstall, or log in with another account. */
function Commands({ row }: { row: AgentRow }) {
  const { value } = useQuery(row.id, () => client.agents.get(row.id));
  const offered = new Set(row.offers.map(({ kind }) => kind));
  const more = value?.offers.filter(({ kind }) => !offered.has(kind)) ?? [];
  if (more.length === 0) return null;
  return (
    <section aria-label="Commands" className="flex flex-col gap-1.5">
      {more.map((offer) => (
        <SetupCommand key={offer.kind} offer={offer} />
      ))}
    </section>
  );
}
