import {
  type Check,
  type ComparedLane,
  type Comparison,
  type SessionView,
  sessionStatus,
  statusText,
} from "@gantry/protocol";
import { Merge, Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { LandDialog } from "../../lanes/dialogs/land-dialog.tsx";
import { HoldActions } from "../../limits/hold-actions.tsx";
import { agentName, agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { client } from "../../store/connection/client.ts";
import { useSession } from "../../store/sessions/hooks.ts";
import { toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";
import { TextField } from "../../ui/controls/field.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { formatCount, formatDollars, formatDuration } from "../../ui/display/format.ts";
import { SessionLink } from "../../ui/display/session-link.tsx";
import { StateDot } from "../../ui/display/state-dot.tsx";
import { useQuery } from "../../ui/load/use-query.ts";

type FiguresTableProps = {
  comparison: Comparison;
  /** The lanes that have landed. */
  landed: readonly string[];
  onChanged: () => void;
  onCheck?: (command: string) => Promise<void>;
};

/** One row per lane: changes, tests, cost, time and tokens. */
export function FiguresTable({ comparison, landed, onChanged, onCheck }: FiguresTableProps) {
  const { lanes, base } = comparison;
  const checked = lanes.some((lane) => lane.check);
  return (
    <>
      <div className="relative overflow-x-auto rounded-lg border border-line">
        <table className="w-full text-left tabular-nums">
          <thead className="text-xs text-faint">
            <tr className="[&>th]:px-3 [&>th]:py-1.5 [&>th]:font-medium">
              <th>Lane</th>
              <th>Changes</th>
              <th>Tests</th>
              {checked && <th>Check</th>}
              <th className="text-right">Cost</th>
              <th className="text-right">Time</th>
              <th className="text-right">Tokens</th>
              <th>
                <span className="sr-only">Land</span>
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line border-t border-line">
            {lanes.map((lane) => (
              <LaneFigures
                key={lane.lane}
                lane={lane}
                landed={landed.includes(lane.lane)}
                checked={checked}
                onChanged={onChanged}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-1.5 flex flex-wrap items-center gap-3 text-xs text-faint">
        <span className="grow">
          Compared with {base.ref ?? "commit"} <code className="font-mono">{base.commit.slice(0, 8)}</code>
        </span>
        {onCheck && <CheckForm onCheck={onCheck} />}
      </p>
    </>
  );
}

type LaneFiguresProps = { lane: ComparedLane; landed: boolean; checked: boolean; onChanged: () => void };

function LaneFigures({ lane, landed, checked, onChanged }: LaneFiguresProps) {
  const { diff, tests, cost, durationMs, usage } = lane;
  return (
    <tr className="[&>td]:px-3 [&>td]:py-2">
      <td className="sticky left-0 w-full max-w-0 min-w-48 bg-surface">
        <LaneName lane={lane} />
      </td>
      <td className="whitespace-nowrap">
        {diff.files.length === 0 ? (
          <span className="text-faint">None</span>
        ) : (
          <>
            {diff.files.length === 1 ? "1 file" : `${diff.files.length} files`}{" "}
            <span className="text-good">+{diff.additions}</span> <span className="text-bad">−{diff.deletions}</span>
          </>
        )}
      </td>
      <td>
        {tests.last ? (
          <Badge
            tone={tests.last === "passed" ? "good" : "bad"}
            title={`${tests.passed} passed, ${tests.failed} failed`}
          >
            {tests.last}
          </Badge>
        ) : (
          <span className="whitespace-nowrap text-faint">Not run</span>
        )}
      </td>
      {checked && <td>{lane.check ? <CheckBadge check={lane.check} /> : null}</td>}
      <Figure missing={usage.input + usage.output > 0 ? "Unknown" : "–"}>
        {cost && (
          <span title={cost.source === "list" ? "Estimated from list prices" : undefined}>
            {formatDollars(cost.usd)}
          </span>
        )}
      </Figure>
      <Figure>{durationMs > 0 && formatDuration(durationMs)}</Figure>
      <Figure>
        {usage.input + usage.output > 0 && `${formatCount(usage.input)} in · ${formatCount(usage.output)} out`}
      </Figure>
      <td className="text-right">
        {landed ? <Badge tone="good">Landed</Badge> : <LandButton lane={lane} onChanged={onChanged} />}
      </td>
    </tr>
  );
}

function Figure({ missing = "–", children }: { missing?: string; children: ReactNode }) {
  return <td className="text-right whitespace-nowrap">{children || <span className="text-faint">{missing}</span>}</td>;
}

function LaneName({ lane }: { lane: ComparedLane }) {
  const rows = useCell(agents);
  const session = useSession(lane.sessions[0] ?? "");
  const name = lane.agents
    .map(({ agent, model }) => [agentName(rows, agent), model].filter(Boolean).join(" · "))
    .join(", ");
  return (
    <div className="flex min-w-0 items-center gap-2">
      {session && <StateDot session={session} />}
      <span className="min-w-0">
        {session ? (
          <SessionLink id={session.id} className="block truncate font-medium hover:underline">
            {name}
          </SessionLink>
        ) : (
          <span className="block truncate font-medium">{name || lane.name}</span>
        )}
        <Link href={`/lanes/${lane.lane}`} className="block truncate font-mono text-xs text-faint hover:underline">
          {lane.branch ?? lane.name}
        </Link>
        {session && <LaneStatus session={session} />}
        {lane.error && <span className="block text-xs text-bad">{lane.error.message}</span>}
      </span>
    </div>
  );
}

/** The state of a lane's session as text, unless it is done. */
function LaneStatus({ session }: { session: SessionView }) {
  const status = sessionStatus(session);
  if (status.group === "done" && !status.reason) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-soft">
      <span title={status.detail}>{statusText(status)}</span>
      {status.group === "held" && <HoldActions session={session.id} status={status} />}
    </span>
  );
}

const checks = {
  running: ["neutral", "Running…"],
  passed: ["good", "Passed"],
  failed: ["bad", "Failed"],
  timeout: ["bad", "Timed out"],
  interrupted: ["need", "Interrupted"],
} as const;

function CheckBadge({ check }: { check: Check }) {
  const [tone, label] = checks[check.state];
  return (
    <Badge tone={check.stale ? "neutral" : tone} title={`${check.command}\n${check.output.slice(-2000)}`}>
      {label}
      {check.stale && ", outdated"}
    </Badge>
  );
}

function LandButton({ lane, onChanged }: { lane: ComparedLane; onChanged: () => void }) {
  const [landing, setLanding] = useState(false);
  const working = lane.state === "running" || lane.state === "waiting";
  return (
    <>
      <Button
        icon={<Merge size={14} />}
        disabled={working || lane.diff.files.length === 0}
        title={working ? "The agent is still working." : undefined}
        aria-label={`Land ${lane.name}`}
        onClick={() => setLanding(true)}
      >
        Land…
      </Button>
      {landing && <Landing lane={lane.lane} onClose={() => setLanding(false)} onChanged={onChanged} />}
    </>
  );
}

function Landing({ lane: id, onClose, onChanged }: { lane: string; onClose: () => void; onChanged: () => void }) {
  const { value: lane } = useQuery(id, () => client.call("getLane", { params: { id: id } }));
  const done = () => {
    onClose();
    onChanged();
  };
  return lane ? <LandDialog lane={lane} onClose={onClose} onLanded={done} /> : null;
}

/** Runs a check command in every lane. */
function CheckForm({ onCheck }: { onCheck: (command: string) => Promise<void> }) {
  const [command, setCommand] = useState("");
  return (
    <form
      className="flex items-center gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        onCheck(command.trim()).catch(toastError);
      }}
    >
      <TextField
        label="Check command"
        placeholder="Command, such as npm test"
        value={command}
        onChange={setCommand}
        className="w-60 font-mono text-xs"
      />
      <Button type="submit" icon={<Play size={13} />}>
        Check all
      </Button>
    </form>
  );
}
