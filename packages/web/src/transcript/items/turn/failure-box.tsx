import type { Failure } from "@gantry/protocol";
import { CircleAlert, KeyRound, SquareTerminal } from "lucide-react";
import { openSetup } from "../../../agents/setup/setup-request.ts";
import { useSession } from "../../../store/sessions/hooks.ts";
import { Button } from "../../../ui/controls/button.tsx";
import { Markdown } from "../../markdown/markdown.tsx";
import { Output } from "../../output/output.tsx";
import { useTranscript } from "../../view/context.ts";
import { RetryButton, useResend } from "./retry-button.tsx";

/** A failure with its remedy, and a button for the remedy if there is one. */
export function FailureBox({ failure, messages }: { failure: Failure; messages: readonly string[] }) {
  const { session } = useTranscript();
  const isRunning = useSession(session)?.turn !== undefined;
  const resend = useResend(messages);
  const { category, message, remedy, offer } = failure;
  return (
    <div className="my-2 flex gap-2.5 rounded-lg border border-bad/40 bg-bad-wash px-3 py-2">
      <CircleAlert size={15} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
      <div className="min-w-0 grow">
        <p className="font-medium wrap-break-word whitespace-pre-wrap text-bad">
          <Output text={message.slice(0, 2000)} />
        </p>
        <div className="mt-0.5 text-soft">
          <Markdown text={remedy.slice(0, 2000)} />
        </div>
        <div className="mt-2 flex flex-wrap gap-2 empty:hidden">
          {offer && (
            <Button
              look="primary"
              icon={offer.keys ? <KeyRound size={13} /> : <SquareTerminal size={13} />}
              onClick={() => openSetup(offer, resend)}
            >
              {offer.title}
            </Button>
          )}
          {category !== "cancelled" && !isRunning && <RetryButton messages={messages} />}
        </div>
      </div>
    </div>
  );
}
