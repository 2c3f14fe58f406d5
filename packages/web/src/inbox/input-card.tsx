import type { InputAnswer, InputRequest } from "@gantry/protocol";
import { type FormEvent, type KeyboardEvent, type ReactNode, useState } from "react";
import { agents } from "../store/agents.ts";
import { useCell, useCellPart } from "../store/cell.ts";
import { sessionCell } from "../store/sessions/sessions.ts";
import { classes } from "../ui/classes.ts";
import { answersOf, type Replies } from "./card/answers.ts";
import { InputActions } from "./card/input-actions.tsx";
import { InputBody } from "./card/input-body.tsx";
import { InputEditor } from "./card/input-editor.tsx";
import { fromFields, type InputField, toFields } from "./card/input-fields.ts";
import { InputHeader } from "./card/input-header.tsx";
import { InputQuestions } from "./card/input-questions.tsx";
import { type Resolution, resolutionText } from "./resolution.ts";
import { useAnswer } from "./use-answer.ts";

type InputCardProps = {
  input: InputRequest;
  /** How it was settled; absent while it is pending. */
  resolution?: Resolution;
  /** A link to its session, for lists over many sessions. */
  from?: ReactNode;
};

/** One input with everything needed to decide it. Used in the inbox and in the transcript. */
export function InputCard({ input, resolution, from }: InputCardProps) {
  const open = !resolution;
  return (
    <fieldset
      aria-label={input.title}
      data-input={input.id}
      data-pending={open ? "" : undefined}
      tabIndex={-1}
      className={classes(
        "min-w-0 scroll-my-4 overflow-hidden rounded-lg border bg-surface outline-none",
        open ? "border-line-strong focus-within:border-accent focus:border-accent" : "border-line",
      )}
    >
      {from}
      <InputHeader input={input} settled={!open} />
      {resolution ? <Settled input={input} resolution={resolution} /> : <Pending input={input} />}
    </fieldset>
  );
}

function Settled({ input, resolution }: { input: InputRequest; resolution: Resolution }) {
  const answers = Object.entries(resolution.answers ?? {});
  return (
    <>
      <InputBody input={input} />
      <div className="border-t border-line px-3 py-1.5 text-soft">
        {resolutionText(resolution)}
        {answers.map(([id, answer]) => (
          <p key={id} className="text-ink">
            {answers.length > 1 && <span className="text-soft">{questionText(input, id)} </span>}
            {[answer].flat().join(", ")}
          </p>
        ))}
      </div>
    </>
  );
}

function questionText({ questions }: InputRequest, id: string): string {
  return questions.find((question) => question.id === id)?.text ?? "";
}

function Pending({ input }: { input: InputRequest }) {
  const answering = useAnswer(input);
  const editable = useEditable(input);
  const [replies, setReplies] = useState<Replies>({});
  const [fields, setFields] = useState<InputField[]>();
  const [feedback, setFeedback] = useState<string>();
  const busy = answering.state !== "open";
  const answers = answersOf(input.questions, replies);
  const edited = fields ? fromFields(fields) : undefined;
  const complete = answers !== undefined && !(edited && "invalid" in edited);

  const decide = (answer: InputAnswer) => {
    if (busy) return;
    if (answer.decision !== "allow") {
      return answering.send({
        ...answer,
        ...(answer.decision === "deny" && feedback?.trim() ? { message: feedback } : {}),
      });
    }
    if (!complete) return;
    const edits = edited && "input" in edited && differs(edited.input, input.tool?.input) ? edited.input : undefined;
    answering.send({ ...answer, ...(input.questions.length > 0 ? { answers } : {}), ...(edits ? { edits } : {}) });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    decide({ decision: "allow" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || (feedback === undefined && !fields)) return;
    if (feedback !== undefined) setFeedback(undefined);
    else setFields(undefined);
    event.currentTarget.closest("fieldset")?.focus();
  };
  return (
    <form onSubmit={onSubmit} onKeyDown={onKeyDown}>
      {fields ? <InputEditor fields={fields} onChange={setFields} /> : <InputBody input={input} />}
      <InputQuestions
        title={input.title}
        questions={input.questions}
        replies={replies}
        onReply={setReplies}
        disabled={busy}
      />
      <InputActions
        input={input}
        answering={answering}
        complete={complete}
        feedback={feedback}
        onFeedback={setFeedback}
        onDecide={decide}
        editing={fields !== undefined}
        onEdit={editable && (() => setFields(fields ? undefined : editable))}
      />
    </form>
  );
}

function differs(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) !== JSON.stringify(b);
}

/** The fields that can be edited before allowing, if the agent accepts a changed input. */
function useEditable(input: InputRequest): InputField[] | undefined {
  const rows = useCell(agents);
  const agent = useCellPart(sessionCell(input.session), (view) => view?.agent);
  const takesEdits = rows.find((row) => row.id === agent)?.edits === true;
  return takesEdits && input.kind === "approval" ? toFields(input.tool?.input) : undefined;
}
