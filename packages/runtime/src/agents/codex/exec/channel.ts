import { defineChannel, type LaunchOptions } from "../../contract.ts";
import { fields, text } from "../../fields.ts";
import { mergeLaunch } from "../../kit/launch-parts.ts";
import { tierOf } from "../controls.ts";
import { commandLineServers } from "../kit.ts";
import { modelParams, permissionsOf } from "../modes.ts";
import { decode } from "./decode.ts";
import { CHANNEL, initialState, type State } from "./state.ts";

/**
 * `codex exec --json`: one process per turn, for versions without a usable app-server. It never asks, so modes differ
 * only in their sandbox, and `ask` uses the sandbox of `plan`.
 */
export const exec = defineChannel<State>({
  name: CHANNEL,
  perTurn: true,
  takes: { servers: ["stdio", "http"], folders: true },
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

function argumentsFor(options: LaunchOptions, overrides: string[]): string[] {
  const { model: named, effort, resume, fork, controls = {}, folders = [] } = options;
  const { model, serviceTier } = modelParams(named);
  const tier = tierOf(controls);
  // The command line has no null: `default` is what a cleared tier becomes.
  const speed = tier === undefined ? serviceTier : (tier ?? "default");
  const target = resume ? [fork ? "fork" : "resume", resume] : [];
  return [
    "exec",
    "--json",
    "--skip-git-repo-check",
    ...(model ? ["-m", model] : []),
    ...(effort ? ["-c", `model_reasoning_effort=${JSON.stringify(effort)}`] : []),
    ...(speed ? ["-c", `service_tier=${JSON.stringify(speed)}`] : []),
    ...permissions(options),
    ...(folders.length > 0 ? ["-c", `sandbox_workspace_write.writable_roots=${JSON.stringify(folders)}`] : []),
    ...overrides.flatMap((override) => ["-c", override]),
    ...target,
    "-",
  ];
}

/** The user's and project's rules could run commands outside of the sandbox. */
function permissions({ mode, controls }: LaunchOptions): string[] {
  const { approval, sandbox: wanted } = permissionsOf(mode, controls);
  // It cannot ask: what would ask for every change may not write, and what would ask sometimes stays in the sandbox.
  const asksSometimes = approval !== undefined && approval !== "never" && wanted === "danger-full-access";
  const sandbox = approval === "untrusted" ? "read-only" : asksSometimes ? "workspace-write" : wanted;
  const own = mode === "inherit" ? [] : ["--ignore-rules"];
  if (sandbox === "danger-full-access") return [...own, "--dangerously-bypass-approvals-and-sandbox"];
  return sandbox ? [...own, "-c", `sandbox_mode=${JSON.stringify(sandbox)}`] : own;
}

function isOurs(line: unknown): boolean {
  const outer = fields(line);
  const message = "msg" in outer ? fields(outer.msg) : outer;
  const type = text(message.type) ?? "";
  return type === "thread.started" ? "thread_id" in message : /^(turn|item)\.(started|completed|failed)$/.test(type);
}
