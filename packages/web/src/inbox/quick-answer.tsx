import type { InputAnswer, InputRequest } from "@gantry/protocol";
import { Check, X } from "lucide-react";
import { Button } from "../ui/controls/button.tsx";
import { SessionLink } from "../ui/display/session-link.tsx";
import { keyFor } from "./answer-keys.ts";
import { useAnswer } from "./use-answer.ts";

const MOST_CHOICES = 4;
/** About the three lines that a card shows of a command. */
const LONGEST_COMMAND = 120;

/** The short form of a request for a card of the board: what is asked, and the answers that need no text. */
export function QuickAnswer({ input, showKeys }: { input: InputRequest; showKeys: boolean }) {
  const answering = useAnswer(input);
  const busy = answering.state !== "open";
  const send = (answer: InputAnswer) => {
    if (!busy) answering.send(answer);
  };
  const [question, ...others] = input.questions;
  const isChoice = question && others.length === 0 && isShortChoice(question);
  if (answering.state === "stored")
    return <p className="text-xs text-need">Answer saved, sent when the daemon is back.</p>;
  if (question ? !isChoice : !isInView(input))
    return (
      <SessionLink id={input.session} className="relative text-xs font-medium text-accent hover:underline">
        Answer in the session
      </SessionLink>
    );
  const hint = (press: "allow" | "session" | "deny") => (showKeys ? keyFor(press) : undefined);
  return (
    <div className="relative flex flex-wrap gap-1.5">
      {isChoice && <Choices question={question} busy={busy} onSend={send} />}
      {!question && (
        <Button
          look="primary"
          data-do="allow"
          icon={<Check size={14} />}
          keys={hint("allow")}
          disabled={busy}
          onClick={() => send({ decision: "allow" })}
        >
          Allow
        </Button>
      )}
      <Button
        data-do="deny"
        icon={<X size={14} />}
        keys={hint("deny")}
        disabled={busy}
        onClick={() => send({ decision: "deny" })}
      >
        Deny
      </Button>
      {!question && input.scope && (
        <Button
          look="quiet"
          data-do="session"
          keys={hint("session")}
          disabled={busy}
          title={input.scope.label}
          onClick={() => send({ decision: "allow_session" })}
        >
          Allow for this session
        </Button>
      )}
    </div>
  );
}

type ChoicesProps = {
  question: InputRequest["questions"][number];
  busy: boolean;
  onSend: (answer: InputAnswer) => void;
};

function Choices({ question, busy, onSend }: ChoicesProps) {
  return question.options.map(({ label, description }) => (
    <Button
      key={label}
      title={description}
      disabled={busy}
      className="max-w-full"
      onClick={() => onSend({ decision: "allow", answers: { [question.id]: label } })}
    >
      <span className="truncate">{label}</span>
    </Button>
  ));
}

/** Whether the card shows all that is asked. A plan and a long command are answered where they are in full. */
function isInView({ kind, tool }: InputRequest): boolean {
  const command = tool?.command ?? "";
  const isShort = command.length <= LONGEST_COMMAND && !command.includes("\n");
  return isShort && (kind === "approval" || kind === "permissions");
}

function isShortChoice({ options, multi, secret }: InputRequest["questions"][number]): boolean {
  return !multi && !secret && options.length > 0 && options.length <= MOST_CHOICES;
}
