import type { LaunchOptions } from "../contract.ts";
import { jsonChannel, rpcChannel } from "../json-lines/pi-rpc/channel.ts";

/** `pi --mode rpc`: one process a session, steering, questions of extensions. */
export const rpc = rpcChannel((options) => ({ args: argumentsFor("rpc", options) }));

/** `pi --mode json` with the prompt on stdin: one process a turn. */
export const json = jsonChannel((options) => ({ args: argumentsFor("json", options) }));

/** Tools that change nothing; Pi has no permissions of its own, so a careful rung can only leave tools out. */
const READ_ONLY = "read,grep,find,ls";

function argumentsFor(outputs: "rpc" | "json", { model, effort, mode, resume }: LaunchOptions): string[] {
  const [, provider, id] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  const careful = mode !== "full-auto" && mode !== "inherit";
  return [
    ...["--mode", outputs],
    ...(provider && id ? ["--provider", provider, "--model", id] : model ? ["--model", model] : []),
    ...(effort ? ["--thinking", effort] : []),
    ...(careful ? ["--tools", READ_ONLY] : []),
    ...(resume ? ["--session", resume] : []),
  ];
}
