import { type Fields, fields, list, nonBlank, number, own, text, texts } from "../../fields.ts";
import type { Pass } from "../talk.ts";
import { openItems, retractItems } from "../texts.ts";
import { begin, ready, retry } from "../turns.ts";
import { answeredControl, askedControl, respondedControl } from "./control.ts";
import { assistant, streamed, user } from "./messages.ts";
import { result } from "./result.ts";
import type { MessageState } from "./state.ts";

/** Kinds of `stream_event` and `system` lines that say nothing that the log needs. */
const quiet: Record<string, string> = {
  "stream_event/goal_state": "a goal that nobody set",
  "system/session_start": "told by init",
};

/**
 * A line of the stream that several agents took over from one of them: `system`, `assistant`, `user` and `result`,
 * each message in full, and with partial messages a `stream_event` for each piece before.
 */
export function line(pass: Pass<MessageState>, said: Fields, frame: unknown): void {
  switch (said.type) {
    case "system":
      return system(pass, said, frame);
    case "stream_event":
      return own(quiet, `stream_event/${fields(said.event).type}`) ? undefined : streamed(pass, said, frame);
    case "assistant":
      return assistant(pass, said);
    case "user":
      return user(pass, said);
    case "result":
      return result(pass, said);
    case "control_request":
      return askedControl(pass, said, frame);
    case "control_response":
      return respondedControl(pass, said);
    default:
      return pass.raw(frame, "unknown line");
  }
}

function system(pass: Pass<MessageState>, said: Fields, frame: unknown): void {
  if (said.subtype === "init") return opened(pass, said);
  if (said.subtype === "retry") return retried(pass, fields(said.data));
  if (!own(quiet, `system/${text(said.subtype) ?? ""}`)) pass.raw(frame, "unknown system line");
}

function opened(pass: Pass<MessageState>, said: Fields): void {
  const news = pass.state.handle !== said.session_id;
  ready(pass, { handle: nonBlank(said.session_id), model: nonBlank(said.model) });
  const commands = texts(said.slash_commands).map((name) => ({ name }));
  if (news && commands.length > 0) pass.event("commands.changed", { list: commands });
}

/** The model's answer broke off and is asked for again; what was shown of it stays only if the agent says so. */
function retried(pass: Pass<MessageState>, data: Fields): void {
  begin(pass);
  const { state } = pass;
  if (data.preserveText === false)
    retractItems(pass, [...openItems(pass), ...state.answer], "the request is tried again");
  state.answer = [];
  state.block = undefined;
  const attempt = number(data.attempt);
  retry(pass, { ...(attempt === undefined ? {} : { attempt }), reason: nonBlank(data.reason) ?? "retry" });
}

/** What was written to the agent: in recordings of both directions it tells what the person said and decided. */
export function inbound(pass: Pass<MessageState>, said: Fields): void {
  if (said.type === "user") {
    const { content } = fields(said.message);
    const spoken =
      text(content) ??
      list(content)
        .map((entry) => text(fields(entry).text) ?? "")
        .join("\n");
    return pass.say({ kind: "prompted", text: spoken });
  }
  if (said.type === "control_response") return answeredControl(pass, fields(said.response));
  if (said.type === "control_request" && fields(said.request).subtype === "interrupt") pass.state.stopping = true;
}

const kinds = ["system", "assistant", "user", "result", "stream_event"];

export function isOurs(line: Fields): boolean {
  return kinds.includes(text(line.type) ?? "") && "session_id" in line && !("agent_id" in line);
}
