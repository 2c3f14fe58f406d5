import type { ComparedLane, RanCommand } from "@gantry/protocol";
import { CircleCheck, CircleSlash, CircleX } from "lucide-react";
import { Badge } from "../../ui/display/badge.tsx";
import { formatDuration } from "../../ui/display/format.ts";
import { SessionLink } from "../../ui/display/session-link.tsx";
import { LaneColumns } from "./lane-columns.tsx";

/** The commands each agent ran, in order, with their results. */
export function CommandsTab({ lanes }: { lanes: readonly ComparedLane[] }) {
  return (
    <LaneColumns lanes={lanes}>
      {({ commands }) =>
        commands.length === 0 ? (
          <p className="text-faint">No commands run.</p>
        ) : (
          <ol className="flex flex-col gap-0.5">
            {commands.map((command) => (
              <CommandRow key={`${command.session} ${command.seq}`} command={command} />
            ))}
          </ol>
        )
      }
    </LaneColumns>
  );
}

function CommandRow({
  command: { session, seq, command, status, exitCode, durationMs, test },
}: {
  command: RanCommand;
}) {
  const failed = status === "error" || (typeof exitCode === "number" && exitCode !== 0);
  return (
    <li className="flex items-start gap-1.5">
      {failed ? (
        <CircleX size={13} aria-label="Failed" className="mt-1 shrink-0 text-bad" />
      ) : status === "ok" ? (
        <CircleCheck size={13} aria-label="Succeeded" className="mt-1 shrink-0 text-good" />
      ) : (
        <CircleSlash size={13} aria-label={status} className="mt-1 shrink-0 text-faint" />
      )}
      <SessionLink
        id={session}
        seq={seq}
        className="min-w-0 grow truncate font-mono text-xs leading-5 hover:underline"
        title={command}
      >
        {command}
      </SessionLink>
      {test && <Badge tone={failed ? "bad" : "good"}>{test}</Badge>}
      {typeof exitCode === "number" && exitCode !== 0 && <span className="shrink-0 text-xs text-bad">{exitCode}</span>}
      {durationMs !== undefined && <span className="shrink-0 text-xs text-faint">{formatDuration(durationMs)}</span>}
    </li>
  );
}
