import type { Mode } from "@gantry/protocol";
import { defineChannel, type LaunchOptions } from "../../contract.ts";
import { fields, text } from "../../fields.ts";
import { mergeLaunch } from "../../kit/launch-parts.ts";
import { commandLineServers } from "../kit.ts";
import { modelParams, rungs } from "../modes.ts";
import { decode } from "./decode.ts";
import { CHANNEL, initialState, type State } from "./state.ts";

/**
 * `codex exec --json`: one process per turn, for versions without a usable app-server. It never asks, so modes differ
 * only in their sandbox, and `ask` uses the sandbox of `plan`.
 */
export const exec = defineChannel<State>({
  name: CHANNEL,
  perTurn: true,
  takes: { servers: ["stdio", "http"] },
  launch: (options) => {
    const { overrides, ...given } = commandLineServers(options);
    return mergeLaunch({ args: argumentsFor(options, overrides) }, given);
  },
  initial: initialState,
  open: () => [],
  decode,
  encode: () => undefined,
  recognises: (lines) => lines.some(isOurs) || typeof lines[0] === "string",
});

function argumentsFor({ model: named, effort, mode, resume, fork }: LaunchOptions, overrides: string[]): string[] {
  const { model, serviceTier } = modelParams(named);
  const target = resume ? [fork ? "fork" : "resume", resume] : [];
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    ...(model ? ["-m", model] : []),
    ...(effort ? ["-c", `model_reasoning_effort=${JSON.stringify(effort)}`] : []),
    ...(serviceTier ? ["-c", `service_tier=${JSON.stringify(serviceTier)}`] : []),
    ...permissions(mode),
    ...overrides.flatMap((override) => ["-c", override]),
    ...target,
    "-",
  ];
}

/** The user's and project's rules could run commands outside of the sandbox. */
function permissions(mode: Mode): string[] {
  if (mode === "inherit") return [];
  return ["--ignore-rules", ...sandboxOf(mode)];
}

function sandboxOf(mode: Exclude<Mode, "inherit">): string[] {
  const { sandbox } = rungs[mode === "ask" ? "plan" : mode];
  if (sandbox === "danger-full-access") return ["--dangerously-bypass-approvals-and-sandbox"];
  return ["-c", `sandbox_mode=${JSON.stringify(sandbox)}`];
}

function isOurs(line: unknown): boolean {
  const outer = fields(line);
  const message = "msg" in outer ? fields(outer.msg) : outer;
  const type = text(message.type) ?? "";
  return type === "thread.started" ? "thread_id" in message : /^(turn|item)\.(started|completed|failed)$/.test(type);
}
