import type { LaunchOptions } from "../contract.ts";
import { jsonChannel, rpcChannel } from "../json-lines/pi-rpc/channel.ts";

/** `pi --mode rpc`: one process a session, steering, questions of extensions. */
export const rpc = rpcChannel({ launch: (options) => ({ args: argumentsFor("rpc", options) }), gate: true });

/** `pi --mode json` with the prompt on stdin: one process a turn. */
export const json = jsonChannel({ launch: (options) => ({ args: argumentsFor("json", options) }), gate: true });

function argumentsFor(outputs: "rpc" | "json", { model, effort, resume, fork }: LaunchOptions): string[] {
  const [, provider, id] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  return [
    ...["--mode", outputs],
    ...(provider && id ? ["--provider", provider, "--model", id] : model ? ["--model", model] : []),
    ...(effort ? ["--thinking", effort] : []),
    ...(resume ? [fork ? "--fork" : "--session", resume] : []),
  ];
}
