import { homedir } from "node:os";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { profileFor, type SandboxProfile } from "../sandbox/profile.ts";
import { findSandbox, type Sandbox, type SandboxSetting } from "../sandbox/sandbox.ts";
import { bashTool } from "./bash/bash-tool.ts";
import { type EnvironmentFilter, shellEnvironment, withoutLikelySecrets } from "./bash/environment.ts";
import { inFull, jobTool } from "./bash/job-tool.ts";
import { Jobs } from "./bash/jobs.ts";
import { createShell, type ShellRunner } from "./bash/shell.ts";
import type { Tool, ToolPlace } from "./tool.ts";

export type ExecOptions = ToolPlace & {
  sessionId: string;
  agentDir: string;
  /** The mode at this moment. */
  mode(): PermissionMode;
  sandbox?: SandboxSetting;
  /** Takes what proves who the user is out of the environment of commands. */
  withoutSecrets?: EnvironmentFilter;
  /** Called when something ended or failed beside the conversation; the words are for the model and the person. */
  onNotice?(text: string): void;
};

/**
 * The tools that run things, for one session, and what they run with. `shell` is also what the session's own `bash`
 * uses: without a profile, as the person typed it. `dispose` ends all that was started.
 */
export type ExecTools = {
  tools: Tool[];
  shell: ShellRunner;
  jobs: Jobs;
  /** Looked for at its first use, once. */
  sandbox(): Promise<Sandbox>;
  dispose(): Promise<void>;
};

export function execTools(options: ExecOptions): ExecTools {
  const setting = options.sandbox ?? "auto";
  let found: Promise<Sandbox> | undefined;
  const sandbox = () => {
    found ??= findSandbox(setting).then((it) => {
      if (it.kind === "none" && setting === "auto") {
        options.onNotice?.(`${it.why} Commands are kept by nothing but the permission mode.`);
      }
      return it;
    });
    return found;
  };
  const extra = { GANTRY_SESSION_ID: options.sessionId, GANTRY_AGENT: "1" };
  const env = shellEnvironment(options.env, options.withoutSecrets ?? withoutLikelySecrets, extra);
  const shell = createShell({ cwd: options.cwd, env, sandbox, required: setting === "required" });
  const jobs = new Jobs(shell, (job) => options.onNotice?.(`A job in the background has ended. ${inFull(job)}`));
  const profile = (actions: readonly Action[], place: ToolPlace, network: boolean): SandboxProfile | undefined =>
    setting === "off"
      ? undefined
      : profileFor(options.mode(), actions, place, {
          home: options.env.HOME ?? homedir(),
          agentDir: options.agentDir,
          network,
        });
  return {
    tools: [bashTool({ shell, jobs, profile }), jobTool(jobs)],
    shell,
    jobs,
    sandbox,
    dispose: () => shell.dispose(),
  };
}
