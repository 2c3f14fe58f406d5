import type { InputRequest } from "@gantry/protocol";
import { CircleHelp, FilePen, KeyRound, ListChecks, ShieldAlert, Terminal } from "lucide-react";
import type { ReactNode } from "react";
import { agentName, agents } from "../../store/agents.ts";
import { useCell } from "../../store/cell.ts";
import { sessionCell } from "../../store/sessions/sessions.ts";
import { Badge, type Tone } from "../../ui/display/badge.tsx";
import { type Risk, riskOf } from "../risk.ts";
import { Expiry } from "./expiry.tsx";

const tones: Record<Risk, Tone> = { high: "bad", medium: "need", low: "accent" };

/** The request in one line, with its agent and its risk. */
export function InputHeader({ input, settled }: { input: InputRequest; settled: boolean }) {
  const session = useCell(sessionCell(input.session));
  const rows = useCell(agents);
  const { risk, why } = riskOf(input, session?.cwd ?? "");
  const subagent = session?.subagents.find((one) => one.id === input.subagent)?.title ?? input.subagent;
  return (
    <header className="flex items-start gap-2 px-3 pt-2.5 pb-2">
      <span className="mt-0.5 text-faint">{iconOf(input)}</span>
      <div className="min-w-0 grow">
        <h2 className="font-semibold wrap-break-word">{input.title}</h2>
        <p className="text-xs text-faint">
          {session ? agentName(rows, session.agent) : ""}
          {subagent && ` · subagent ${subagent}`}
          {input.tool && ` · ${input.tool.name}`}
        </p>
      </div>
      {!settled && input.expiresAt && <Expiry at={input.expiresAt} />}
      {!settled && !input.blocking && <Badge title="The agent keeps working while this is pending">Not blocking</Badge>}
      <Badge tone={settled ? "neutral" : tones[risk]}>{why}</Badge>
    </header>
  );
}

function iconOf({ kind, tool }: InputRequest): ReactNode {
  if (kind === "question" || kind === "elicitation") return <CircleHelp size={15} />;
  if (kind === "plan") return <ListChecks size={15} />;
  if (kind === "login") return <KeyRound size={15} />;
  if (tool?.command !== undefined || tool?.kind === "execute") return <Terminal size={15} />;
  return tool?.kind === "edit" ? <FilePen size={15} /> : <ShieldAlert size={15} />;
}
