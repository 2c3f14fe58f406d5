import type { InputAnswer, InputRequest } from "@gantry/protocol";
import { Check, MessageSquareQuote, PencilLine, X } from "lucide-react";
import { useId } from "react";
import { Button } from "../../ui/controls/button.tsx";
import type { Answering } from "../use-answer.ts";
import { furtherOptions } from "./answers.ts";

type InputActionsProps = {
  input: InputRequest;
  answering: Answering;
  /** Is everything there that a yes needs? */
  complete: boolean;
  /** A word that goes with a denial; `undefined` while nobody asked for it. */
  word: string | undefined;
  onWord: (word: string | undefined) => void;
  onDecide: (answer: InputAnswer) => void;
  editing: boolean;
  /** Opens and closes the editor; absent where the agent takes no changed input. */
  onEdit: (() => void) | undefined;
};

/** What can be answered. The names of the buttons are part of the page's contract. */
export function InputActions(props: InputActionsProps) {
  const { input, answering, complete, word, onWord, onDecide, editing, onEdit } = props;
  const scopeId = useId();
  if (answering.standing === "kept") return <Kept onTakeBack={answering.takeBack} />;
  const busy = answering.standing !== "open";
  const asks = input.questions.length > 0;
  return (
    <footer className="flex flex-col gap-2 border-t border-line px-3 py-2">
      {word !== undefined && <WordField word={word} onWord={onWord} onDeny={() => onDecide({ decision: "deny" })} />}
      <div className="flex flex-wrap items-center gap-1.5">
        <Button type="submit" look="primary" data-do="allow" icon={<Check size={14} />} disabled={busy || !complete}>
          {asks ? "Answer" : "Allow"}
        </Button>
        {input.scope && !editing && (
          <Button
            data-do="session"
            disabled={busy}
            aria-describedby={scopeId}
            onClick={() => onDecide({ decision: "allow_session" })}
          >
            Allow for this session
          </Button>
        )}
        <Button data-do="deny" icon={<X size={14} />} disabled={busy} onClick={() => onDecide({ decision: "deny" })}>
          Deny
        </Button>
        {furtherOptions(input).map(({ id, label, description, effect }) => (
          <Button
            key={id}
            title={description}
            disabled={busy}
            onClick={() => onDecide({ decision: effect.startsWith("deny") ? "deny" : "allow", option: id })}
          >
            {label}
          </Button>
        ))}
        <span className="grow" />
        {onEdit && (
          <Button look="quiet" data-do="edit" icon={<PencilLine size={14} />} aria-pressed={editing} onClick={onEdit}>
            {editing ? "Discard changes" : "Edit"}
          </Button>
        )}
        <Button
          look="quiet"
          data-do="word"
          icon={<MessageSquareQuote size={14} />}
          aria-pressed={word !== undefined}
          onClick={() => onWord(word === undefined ? "" : undefined)}
        >
          Say why
        </Button>
      </div>
      {input.scope && !editing && (
        <p id={scopeId} className="text-xs break-words text-faint">
          For this session means {input.scope.tool}, <span className="text-soft">{input.scope.label}</span>. You can
          revoke it at any time.
        </p>
      )}
    </footer>
  );
}

function WordField(props: { word: string; onWord: (word: string) => void; onDeny: () => void }) {
  const { word, onWord, onDeny } = props;
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the field appears because the person asked for it.
      autoFocus
      aria-label="A word to the agent"
      placeholder="What to do instead. Enter denies with these words."
      value={word}
      onFocus={(event) => event.currentTarget.closest("footer")?.scrollIntoView({ block: "nearest" })}
      onChange={(event) => onWord(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onDeny();
      }}
      className="h-7 w-full rounded-md border border-line bg-surface px-2 placeholder:text-faint"
    />
  );
}

function Kept({ onTakeBack }: { onTakeBack: () => void }) {
  return (
    <footer className="flex items-center gap-2 border-t border-line px-3 py-2 text-need">
      <p className="grow">Your answer is kept and sent as soon as the daemon is back.</p>
      <Button onClick={onTakeBack}>Take it back</Button>
    </footer>
  );
}
