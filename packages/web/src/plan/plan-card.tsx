import type { InputOption, InputRequest } from "@gantry/protocol";
import { useState } from "react";
import { useAnswer } from "../inbox/use-answer.ts";
import { Markdown } from "../transcript/markdown/markdown.tsx";
import { Button } from "../ui/controls/button.tsx";

const DEFAULTS: readonly InputOption[] = [
  { id: "", label: "Allow", effect: "allow_once" },
  { id: "", label: "Deny", effect: "deny" },
];

/** A plan that waits for an answer, with the agent's own choices. Text goes to the agent with a choice that refuses. */
export function PlanCard({ input }: { input: InputRequest }) {
  const answering = useAnswer(input);
  const [feedback, setFeedback] = useState("");
  const busy = answering.state !== "open";
  const offered = input.options.filter(({ effect }) => effect !== "allow_session");
  const choices = offered.length > 0 ? offered : DEFAULTS;
  const choose = ({ id, effect }: InputOption) => {
    const isRefusal = effect.startsWith("deny");
    answering.send({
      decision: isRefusal ? "deny" : "allow",
      ...(id ? { option: id } : {}),
      ...(isRefusal && feedback.trim() ? { message: feedback.trim() } : {}),
    });
  };
  return (
    <fieldset aria-label={input.title} className="mb-4 min-w-0 rounded-lg border border-line-strong">
      <div className="p-3">
        <h2 className="mb-2 font-semibold">{input.title}</h2>
        <div className="max-w-prose">
          <Markdown text={input.detail ?? "The agent did not send the text of the plan."} />
        </div>
      </div>
      <div className="flex flex-col gap-2 border-t border-line p-3">
        <textarea
          aria-label="Feedback to the agent"
          placeholder="What should change? Sent if you do not approve."
          rows={2}
          value={feedback}
          onChange={(event) => setFeedback(event.target.value)}
          className="w-full resize-y rounded-md border border-line bg-surface px-2 py-1.5 text-sm placeholder:text-faint"
        />
        <div className="flex flex-wrap gap-1.5">
          {choices.map((option, index) => (
            <Button
              key={option.label}
              look={index === 0 ? "primary" : "plain"}
              title={option.description}
              disabled={busy}
              onClick={() => choose(option)}
            >
              {option.label}
            </Button>
          ))}
        </div>
        {answering.state === "stored" && (
          <p className="text-sm text-need">
            Your answer is saved in this browser and will be sent when the daemon is back.
          </p>
        )}
      </div>
    </fieldset>
  );
}
