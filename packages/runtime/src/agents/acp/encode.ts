import type { Attachment } from "@gantry/protocol";
import { rpcNotification, rpcRequest, withVersion } from "../../framing/json-rpc.ts";
import type { AgentCommand, Outbound } from "../contract.ts";
import { compact, type Fields, own } from "../fields.ts";
import { closeFrames } from "./conversations/close.ts";
import type { Dialect } from "./dialect.ts";
import { LOGIN, loginFrames } from "./opening/login.ts";
import { PING } from "./opening/ping.ts";
import { settingFrames } from "./opening/settings.ts";
import { cancelReply, reply } from "./requests/replies.ts";
import type { State } from "./state.ts";
import { promptFrame, textBlock } from "./turns/prompt.ts";

/** Frames for a command; `undefined` for what cannot be done now. */
export function encode(dialect: Dialect, state: State, command: AgentCommand): Outbound[] | undefined {
  if (command.type === "ping") return [ping(command.key)];
  if (command.type === "answer") return answer(dialect, state, command);
  if (!state.session) return undefined;
  switch (command.type) {
    case "prompt":
      return [promptFrame(state, blocks(state, command), command.message)];
    case "steer":
      return undefined;
    case "interrupt":
      return interrupt(dialect, state);
    case "compact":
      return dialect.compact && state.compacts ? [promptFrame(state, [textBlock(`/${dialect.compact}`)])] : undefined;
    case "close":
      return closeFrames(state);
    case "set": {
      const { frames, impossible } = settingFrames(dialect, state, command);
      return impossible.length > 0 || command.mode === "inherit" ? undefined : frames;
    }
  }
}

/**
 * A method that no agent has: the protocol reserves the underscore for such, and every agent answers, with an error.
 * It is answered as soon as it is read.
 */
function ping(key: string): Outbound {
  return { msg: withVersion(rpcRequest(PING + key, "_gantry/ping", {})), repeat: "safe" };
}

function answer(
  dialect: Dialect,
  state: State,
  { key, answer: given }: Extract<AgentCommand, { type: "answer" }>,
): Outbound[] | undefined {
  if (key === LOGIN) return loginFrames(state, given.option, given.decision.startsWith("allow"));
  const ask = own(state.asks, key);
  return ask && [reply(dialect, key, ask, given)];
}

/** Questions that are open must be answered as cancelled after the turn is. */
function interrupt(dialect: Dialect, state: State): Outbound[] {
  if (state.turn ? state.turn.trailing : state.prompts.length === 0) return [];
  const cancel = withVersion(rpcNotification("session/cancel", { sessionId: state.session }));
  const replies = Object.entries(state.asks).map(([key, ask]) => cancelReply(dialect, key, ask));
  return [{ msg: cancel, repeat: "safe" }, ...replies];
}

function blocks(state: State, { text, attachments }: { text: string; attachments: Attachment[] }): Fields[] {
  return [textBlock(text), ...attachments.map((attachment) => attached(state, attachment))];
}

/** Pictures go as such where the agent takes them; what is on disk is linked; the rest is said in words. */
function attached({ can }: State, { path, name, mime = "", data }: Attachment): Fields {
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
  if (mime.startsWith("image/"))
    return textBlock(`[The picture ${name ?? ""} was attached, but this agent takes none.]`);
  return textBlock(`Attached file ${name ?? ""}:\n${Buffer.from(data ?? "", "base64").toString("utf8")}`);
}
