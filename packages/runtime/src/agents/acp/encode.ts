import type { Attachment } from "@gantry/protocol";
import { rpcNotification, rpcRequest, withVersion } from "../../framing/json-rpc.ts";
import type { AgentCommand, Outbound } from "../contract.ts";
import { compact, type Fields, ownValue } from "../fields.ts";
import { closeFrames } from "./conversations/close.ts";
import type { Dialect } from "./dialect.ts";
import { LOGIN, loginFrames } from "./opening/login.ts";
import { PING } from "./opening/ping.ts";
import { settingFrames } from "./opening/settings.ts";
import { cancelReply, reply } from "./requests/replies.ts";
import { rungOf } from "./rungs.ts";
import type { State } from "./state.ts";
import { promptFrame, textBlock } from "./turns/prompt.ts";

/** The frames of a command; `undefined` if it cannot be executed now. */
export function encode(dialect: Dialect, state: State, command: AgentCommand): Outbound[] | undefined {
  if (command.type === "ping") return [ping(command.key)];
  if (command.type === "answer") return answer(dialect, state, command);
  if (!state.session) return undefined;
  switch (command.type) {
    case "prompt":
      return [promptFrame(state, blocks(dialect, state, command), command.message)];
    case "steer":
      return undefined;
    case "interrupt":
      return interrupt(dialect, state);
    case "close":
      return closeFrames(state);
    case "set": {
      const { frames, impossible } = settingFrames(dialect, state, command);
      return impossible.length > 0 || command.mode === "inherit" || command.controls ? undefined : frames;
    }
  }
}

/**
 * A ping is a request for an unknown method with the reserved underscore prefix. Every agent answers it with an error
 * immediately on reading it.
 */
function ping(key: string): Outbound {
  return { msg: withVersion(rpcRequest(PING + key, "_gantry/ping", {})), repeat: "safe" };
}

function answer(
  dialect: Dialect,
  state: State,
  { key, answer: decision }: Extract<AgentCommand, { type: "answer" }>,
): Outbound[] | undefined {
  if (key === LOGIN) return loginFrames(state, decision.option, decision.decision.startsWith("allow"));
  const ask = ownValue(state.asks, key);
  return ask && [reply(dialect, key, ask, decision)];
}

/** The protocol requires open requests to be answered as cancelled after `session/cancel`. A denial has to come before it. */
function interrupt(dialect: Dialect, state: State): Outbound[] {
  if (state.turn ? state.turn.trailing : state.prompts.length === 0) return [];
  const msg = withVersion(rpcNotification("session/cancel", { sessionId: state.session }));
  const cancel: Outbound = { msg, repeat: "safe" };
  const asks = Object.entries(state.asks);
  if (dialect.deniesOnStop)
    return [...asks.map(([key, ask]) => reply(dialect, key, ask, { decision: "deny" })), cancel];
  return [cancel, ...asks.map(([key, ask]) => cancelReply(dialect, key, ask))];
}

function blocks(
  dialect: Dialect,
  state: State,
  { text, attachments }: { text: string; attachments: Attachment[] },
): Fields[] {
  const { planNote } = dialect;
  const plans = planNote !== undefined && rungOf(dialect, state, state.settings.mode) === "plan";
  // A slash command is recognised only if it is the whole prompt.
  const note = plans && !text.startsWith("/") ? [textBlock(planNote)] : [];
  return [textBlock(text), ...attachments.map((attachment) => attachmentBlock(state, attachment)), ...note];
}

/** Images are sent inline if supported, files on disk as links, everything else as text. */
function attachmentBlock({ can }: State, { path, name, mime = "", data }: Attachment): Fields {
  if (data && mime.startsWith("image/") && can.image) return { type: "image", mimeType: mime, data };
  if (path) {
    const uri = `file://${path.split("/").map(encodeURIComponent).join("/")}`;
    return compact({
      type: "resource_link",
      uri,
      name: name ?? path.split("/").at(-1) ?? path,
      mimeType: mime || undefined,
    });
  }
  if (mime.startsWith("image/")) return textBlock(`[Image ${name ?? ""} omitted: this agent does not accept images.]`);
  return textBlock(`Attached file ${name ?? ""}:\n${Buffer.from(data ?? "", "base64").toString("utf8")}`);
}
