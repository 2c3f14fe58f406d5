import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { openLocalStore, rememberSecret, withoutSecrets } from "@gantry/models";
import type { Tool, ToolPlace } from "../contract/tool.ts";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { ownerTokens } from "../permissions/gantry-folders.ts";
import { profileFor, type SandboxProfile } from "../sandbox/profile.ts";
import { findSandbox, type Sandbox, type SandboxSetting } from "../sandbox/sandbox.ts";
import { openProjectTrust, trustRemedy } from "../trust/project-trust.ts";
import { bashTool } from "./bash/bash-tool.ts";
import { type EnvironmentFilter, shellEnvironment } from "./bash/environment.ts";
import { inFull, jobTool } from "./bash/job-tool.ts";
import { Jobs } from "./bash/jobs.ts";
import { createShell, type SessionShell } from "./bash/shell.ts";
import { evalTool } from "./eval/eval-tool.ts";
import { Kernels } from "./eval/kernels.ts";
import { type Language, languagesOf } from "./eval/languages.ts";
import { type AfterWrite, afterWrite } from "./lsp/after-write.ts";
import { applyWorkspaceEdit, mayChange } from "./lsp/edits.ts";
import { lspTool } from "./lsp/lsp-tool.ts";
import type { WorkspaceEdit } from "./lsp/protocol.ts";
import { ProjectServers } from "./lsp/servers-of-project.ts";
import { storedLogins } from "./mcp/logins.ts";
import { connectMcp, type Mcp } from "./mcp/mcp-tools.ts";

export type ExecOptions = ToolPlace & {
  sessionId: string;
  agentDir: string;
  /** The mode at this moment. */
  mode(): PermissionMode;
  sandbox?: SandboxSetting;
  /** Takes what proves who the user is out of the environment of commands. */
  withoutSecrets?: EnvironmentFilter;
  /** A job in the background has ended; the words are for the model and the person. */
  onJobEnd?(text: string): void;
  /** Something does not work as it should; for the person. */
  onProblem?(text: string, source: string): void;
  /** The languages of `eval`. */
  languages?: Partial<Record<Language, boolean>>;
  /** A kernel of Python for each call, instead of one that remembers. */
  forgetful?: boolean;
  /** `extra`: a file with servers for this run. */
  mcp?: { trustProject?: boolean; extra?: string };
};

/**
 * The tools that run things, for one session, and what they run with. `shell` is also what the session's own `bash`
 * uses: without a profile, as the person typed it. `dispose` ends all that was started.
 */
export type ExecTools = {
  tools: Tool[];
  shell: SessionShell;
  jobs: Jobs;
  /** Looked for at its first use, once. */
  sandbox(): Promise<Sandbox>;
  /** What language servers find wrong with a file that was just written, or did to it, as text. Never rejects. */
  afterWrite(path: string, wishes?: AfterWrite): Promise<string | undefined>;
  /** Starts the MCP servers, once; `onTools` gets their tools as they come and change. */
  connectMcp(onTools?: (tools: Tool[]) => void): Mcp;
  dispose(): Promise<void>;
};

export function execTools(options: ExecOptions): ExecTools {
  const setting = options.sandbox ?? "auto";
  let found: Promise<Sandbox> | undefined;
  const sandbox = () => {
    found ??= findSandbox(setting, process.platform, env.PATH).then((it) => {
      if (it.kind === "none" && setting === "auto") {
        options.onProblem?.(`${it.why} Commands are kept by nothing but the permission mode.`, "sandbox");
      }
      if (it.kind !== "none" && it.weaker !== undefined) options.onProblem?.(it.weaker, "sandbox");
      return it;
    });
    return found;
  };
  // Commands get the session's token at most, never the one of the daemon's owner.
  for (const token of ownerTokens(options.env)) rememberSecret(token);
  const extra = { GANTRY_SESSION_ID: options.sessionId, GANTRY_AGENT: "1" };
  const { cwd, folders, agentDir } = options;
  const home = options.env.HOME ?? homedir();
  const trust = openProjectTrust({ cwd, folders, home, agentDir });
  const raw = shellEnvironment(options.env, options.withoutSecrets ?? ((all) => withoutSecrets(all)), extra);
  const env = { ...raw, PATH: trust.searchPath(raw.PATH ?? "") };
  const shell = createShell({ cwd: options.cwd, env, sandbox, required: setting === "required" });
  const jobs = new Jobs(shell, (job) => options.onJobEnd?.(`A job in the background has ended. ${inFull(job)}`));
  const kernels = new Kernels({ cwd, agentDir, env, trust, sandbox, required: setting === "required" });
  const applyEdit = (edit: WorkspaceEdit) => {
    if (options.mode() === "plan") throw new Error("Plan mode only reads.");
    applyWorkspaceEdit(edit, (path) => mayChange(path, options));
  };
  const confine = async (command: readonly string[]) => {
    const it = await sandbox();
    if (it.kind !== "none") return it.wrap(command, profileFor("plan", [], options, { home, agentDir }), cwd);
    throw new Error(`it may run code of the project, which you have not trusted. ${it.why} ${trustRemedy(trust)}`);
  };
  const servers = new ProjectServers({ cwd, agentDir, home, path: raw.PATH ?? "", env, trust, applyEdit, confine });
  const languages = languagesOf(options.languages ?? {}, options.env.GANTRY_PY);
  let mcp: Mcp | undefined;
  const logins = storedLogins(() => openLocalStore(options.env, agentDir));
  let tmp: string | undefined;
  const temporary = () => {
    tmp ??= mkdtempSync(join(tmpdir(), "gantry-tmp-"));
    return tmp;
  };
  const profile = (actions: readonly Action[], place: ToolPlace, network = false): SandboxProfile | undefined =>
    setting === "off"
      ? undefined
      : profileFor(options.mode(), actions, place, { home, agentDir, env: options.env, network, tmp: temporary() });
  return {
    tools: [
      bashTool({ shell, jobs, profile }),
      jobTool(jobs),
      ...(languages.length > 0 ? [evalTool({ kernels, profile, languages, forgetful: options.forgetful })] : []),
      lspTool(servers),
    ],
    shell,
    jobs,
    sandbox,
    afterWrite: afterWrite(servers, cwd),
    connectMcp(onTools = () => {}) {
      const { trustProject = false, extra } = options.mcp ?? {};
      const onProblem = (text: string) => options.onProblem?.(text, "mcp");
      const { isContentTrusted } = trust;
      const project = { cwd, trustProject, isContentTrusted };
      const files = { agentDir, ...project, env: options.env, ...(extra !== undefined && { extra }) };
      mcp ??= connectMcp({ ...files, childEnv: env, logins, onTools, onProblem });
      return mcp;
    },
    async dispose() {
      await Promise.all([shell.dispose(), kernels.dispose(), servers.dispose(), mcp?.dispose()]);
      logins.close();
      if (tmp !== undefined) rmSync(tmp, { recursive: true, force: true });
    },
  };
}
