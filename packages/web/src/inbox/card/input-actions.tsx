import type { InputAnswer, InputRequest } from "@gantry/protocol";
import { Check, MessageSquareQuote, PencilLine, X } from "lucide-react";
import { useId } from "react";
import { Button } from "../../ui/controls/button.tsx";
import { keyFor } from "../answer-keys.ts";
import type { Answering } from "../use-answer.ts";
import { furtherOptions } from "./answers.ts";

type InputActionsProps = {
  input: InputRequest;
  answering: Answering;
  /** Whether everything needed to allow is filled in. */
  complete: boolean;
  /** Feedback for the agent, sent with a denial; `undefined` while the field is closed. */
  feedback: string | undefined;
  onFeedback: (feedback: string | undefined) => void;
  onDecide: (answer: InputAnswer) => void;
  editing: boolean;
  /** Opens and closes the editor; absent if the agent accepts no changed input. */
  onEdit: (() => void) | undefined;
};

/** The possible answers. The names of the buttons are part of the page's accessibility contract. */
export function InputActions(props: InputActionsProps) {
  const { input, answering, complete, feedback, onFeedback, onDecide, editing } = props;
  const scopeId = useId();
  if (answering.state === "stored") return <StoredAnswer onWithdraw={answering.withdraw} />;
  const busy = answering.state !== "open";
  const asks = input.questions.length > 0;
  return (
    <footer className="flex flex-col gap-2 border-t border-line px-3 py-2">
      {feedback !== undefined && (
        <FeedbackField feedback={feedback} onFeedback={onFeedback} onDeny={() => onDecide({ decision: "deny" })} />
      )}
      <div className="flex flex-wrap items-center gap-1.5">
        <Button
          type="submit"
          look="primary"
          data-do="allow"
          icon={<Check size={14} />}
          keys={keyFor("allow")}
          disabled={busy || !complete}
        >
          {asks ? "Answer" : "Allow"}
        </Button>
        {input.scope && !editing && (
          <Button
            data-do="session"
            keys={keyFor("session")}
            disabled={busy}
            aria-describedby={scopeId}
            onClick={() => onDecide({ decision: "allow_session" })}
          >
            Allow for this session
          </Button>
        )}
        <Button
          data-do="deny"
          icon={<X size={14} />}
          keys={keyFor("deny")}
          disabled={busy}
          onClick={() => onDecide({ decision: "deny" })}
        >
          Deny
        </Button>
        <FurtherOptions input={input} busy={busy} onDecide={onDecide} />
        <MoreActions {...props} />
      </div>
      {input.scope && !editing && (
        <p id={scopeId} className="text-xs wrap-break-word text-faint">
          Allowing for this session covers {input.scope.tool}, <span className="text-soft">{input.scope.label}</span>.
          You can revoke it at any time.
        </p>
      )}
    </footer>
  );
}

type FurtherOptionsProps = Pick<InputActionsProps, "input" | "onDecide"> & { busy: boolean };

function FurtherOptions({ input, busy, onDecide }: FurtherOptionsProps) {
  return furtherOptions(input).map(({ id, label, description, effect }) => (
    <Button
      key={id}
      title={description}
      disabled={busy}
      onClick={() => onDecide({ decision: effect.startsWith("deny") ? "deny" : "allow", option: id })}
    >
      {label}
    </Button>
  ));
}

function MoreActions({ feedback, onFeedback, editing, onEdit }: InputActionsProps) {
  return (
    <div className="ml-auto flex flex-wrap justify-end">
      {onEdit && (
        <Button
          look="quiet"
          data-do="edit"
          keys={keyFor("edit")}
          icon={<PencilLine size={14} />}
          aria-pressed={editing}
          onClick={onEdit}
        >
          {editing ? "Discard changes" : "Edit"}
        </Button>
      )}
      <Button
        look="quiet"
        data-do="feedback"
        keys={keyFor("feedback")}
        icon={<MessageSquareQuote size={14} />}
        aria-pressed={feedback !== undefined}
        onClick={() => onFeedback(feedback === undefined ? "" : undefined)}
      >
        Deny with feedback
      </Button>
    </div>
  );
}

function FeedbackField(props: { feedback: string; onFeedback: (feedback: string) => void; onDeny: () => void }) {
  const { feedback, onFeedback, onDeny } = props;
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the field appears on the user's request.
      autoFocus
      aria-label="Feedback to the agent"
      placeholder="What should the agent do instead? Enter denies with this feedback."
      value={feedback}
      onFocus={(event) => event.currentTarget.closest("footer")?.scrollIntoView({ block: "nearest" })}
      onChange={(event) => onFeedback(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onDeny();
      }}
      className="h-7 w-full rounded-md border border-line bg-surface px-2 placeholder:text-faint"
    />
  );
}

function StoredAnswer({ onWithdraw }: { onWithdraw: () => void }) {
  return (
    <footer className="flex items-center gap-2 border-t border-line px-3 py-2 text-need">
      <p className="grow">Your answer is saved in this browser and will be sent when the daemon is back.</p>
      <Button onClick={onWithdraw}>Undo</Button>
    </footer>
  );
}
