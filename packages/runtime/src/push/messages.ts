import { hasButtonAnswers, type InputRequest, type PushMessage, type SessionView } from "@gantry/protocol";
import { hideTokens } from "../framing/redact.ts";
import { hideSecrets } from "../framing/secret-patterns.ts";

const LONGEST_TITLE = 120;
const LONGEST_BODY = 600;

/**
 * The notification of a request. Allow is offered only if the text is the whole request: after a redaction or a cut the
 * user would allow what the notification does not show.
 */
export function describeRequest(session: SessionView, input: InputRequest): PushMessage {
  const { command } = input.tool ?? {};
  const whole = command && !input.title.includes(command) ? `${input.title}\n${command}` : input.title;
  const body = shortenText(whole, LONGEST_BODY);
  const actions: PushMessage["actions"] = body === oneSpace(whole) ? ["allow", "deny"] : ["deny"];
  return {
    title: shortenText(session.title, LONGEST_TITLE),
    body: `Needs you: ${body}`,
    tag: input.id,
    path: `/s/${session.id}`,
    actions: hasButtonAnswers(input) ? actions : [],
  };
}

export function describeFailure(session: SessionView, reason: string | undefined): PushMessage {
  return {
    title: shortenText(session.title, LONGEST_TITLE),
    body: shortenText(`Failed: ${reason ?? "the turn did not finish"}`, LONGEST_BODY),
    tag: session.id,
    path: `/s/${session.id}`,
    actions: [],
  };
}

/** Redacts and cuts a text that leaves the machine. */
function shortenText(text: string, most: number): string {
  const hidden = hideSecrets(hideTokens(oneSpace(text)));
  return hidden.length > most ? `${hidden.slice(0, most - 1)}…` : hidden;
}

function oneSpace(text: string): string {
  return text.replace(/[^\S\n]+/g, " ").trim();
}
