import type { Question } from "@gantry/protocol";
import { useId } from "react";
import { Badge } from "../../ui/display/badge.tsx";
import { choose, noReply, type Replies, type Reply, write } from "./answers.ts";

type InputQuestionsProps = {
  /** The card's title. A question with the same text is not shown twice. */
  title: string;
  questions: readonly Question[];
  replies: Replies;
  onReply: (replies: Replies) => void;
  disabled: boolean;
};

/** An agent's questions with their options, a free-text field, or a field for a secret. */
export function InputQuestions({ title, questions, replies, onReply, disabled }: InputQuestionsProps) {
  return questions.map((question) => (
    <QuestionField
      key={question.id}
      question={question}
      isTitle={question.text === title}
      reply={replies[question.id] ?? noReply}
      onReply={(reply) => onReply({ ...replies, [question.id]: reply })}
      disabled={disabled}
    />
  ));
}

type FieldProps = {
  question: Question;
  isTitle: boolean;
  reply: Reply;
  onReply: (reply: Reply) => void;
  disabled: boolean;
};

function QuestionField({ question, isTitle, reply, onReply, disabled }: FieldProps) {
  const id = useId();
  const { header, text, options, multi, freeform, secret } = question;
  return (
    <div className="flex flex-col gap-1.5 border-t border-line px-3 py-2">
      <div className="flex items-center gap-2">
        {header && <Badge>{header}</Badge>}
        <span id={id} className={isTitle ? "sr-only" : "font-medium wrap-break-word"}>
          {text}
        </span>
      </div>
      {options.length > 0 && (
        <div {...(multi ? {} : { role: "radiogroup", "aria-labelledby": id })}>
          {options.map(({ label, description }) => (
            <label
              key={label}
              className="flex items-baseline gap-2 rounded px-1 py-0.5 hover:bg-hover pointer-coarse:items-center"
            >
              <input
                type={multi ? "checkbox" : "radio"}
                name={id}
                aria-label={label}
                aria-describedby={multi ? id : undefined}
                className="translate-y-0.5"
                checked={reply.chosen.includes(label)}
                disabled={disabled}
                onChange={(event) => onReply(choose(question, reply, label, event.target.checked))}
              />
              <span>{label}</span>
              {description && <span className="text-xs text-faint">{description}</span>}
            </label>
          ))}
        </div>
      )}
      {(freeform || secret || options.length === 0) && (
        <input
          type={secret ? "password" : "text"}
          autoComplete="off"
          aria-label={options.length > 0 ? `${text} Other answer` : text}
          placeholder={placeholder(question)}
          value={reply.text}
          disabled={disabled}
          onChange={(event) => onReply(write(question, reply, event.target.value))}
          className="h-7 w-full max-w-prose rounded-md border border-line bg-surface px-2 placeholder:text-faint"
        />
      )}
    </div>
  );
}

function placeholder({ secret, options }: Question): string {
  if (secret) return "Sent to the agent, never stored";
  return options.length > 0 ? "Other answer" : "Your answer";
}
