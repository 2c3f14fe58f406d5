import { mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { gantryFolder, openLocalStore, rememberSecret, withoutSecrets } from "@gantry/models";
import type { WorkspaceEdit } from "vscode-languageserver-types";
import type { ShellRunner } from "../contract/ports.ts";
import type { Tool, ToolPlace } from "../contract/tool.ts";
import type { Action, PermissionMode } from "../permissions/action.ts";
import { commandActions } from "../permissions/bash/command-actions.ts";
import { ownerTokens } from "../permissions/gantry-folders.ts";
import { pathOf } from "../permissions/paths.ts";
import { languageServerProfile, profileFor, type SandboxProfile } from "../sandbox/profile.ts";
import { findSandbox, type Sandbox, type SandboxSetting } from "../sandbox/sandbox.ts";
import { openProjectTrust, trustRemedy } from "../trust/project-trust.ts";
import { type BashToolOptions, bashTool } from "./bash/bash-tool.ts";
import { inFull, jobTool } from "./bash/job-tool.ts";
import { type JobListener, Jobs } from "./bash/jobs.ts";
import { hookRunner, type RunHook } from "./bash/run-hook.ts";
import { createShell, type SessionShell } from "./bash/shell.ts";
import { evalTool } from "./eval/eval-tool.ts";
import { Kernels } from "./eval/kernels.ts";
import { type Language, languagesOf } from "./eval/languages.ts";
import { type AfterWrite, afterWrite } from "./lsp/after-write.ts";
import type { FoundServer } from "./lsp/config.ts";
import { applyWorkspaceEdit } from "./lsp/edits.ts";
import { lspTool } from "./lsp/lsp-tool.ts";
import { ProjectServers } from "./lsp/servers-of-project.ts";
import type { McpFiles } from "./mcp/config.ts";
import { storedLogins } from "./mcp/logins.ts";
import { connectMcp, type Mcp } from "./mcp/mcp-tools.ts";

/** How long a server's own edit may take to be written. */
const EDIT_MS = 30_000;

/** Removes credentials from an environment. */
type EnvironmentFilter = (env: Record<string, string | undefined>) => Record<string, string | undefined>;

export type ExecOptions = ToolPlace & {
  sessionId: string;
  agentDir: string;
  /** The current mode. */
  mode(): PermissionMode;
  sandbox?: SandboxSetting;
  /** Credentials that stay visible in the sandbox; `~` is the home folder. */
  sandboxShows?: readonly string[];
  /** Removes the user's credentials from the environment of commands. */
  withoutSecrets?: EnvironmentFilter;
  /** A background job has ended without being stopped. The text is for the model and the person. */
  onJobEnd?(text: string): void;
  /** The life of background jobs, for clients. */
  jobs?: JobListener;
  /** Reports a problem to the person. */
  onProblem?(text: string, source: string): void;
  /** The languages of `eval`. */
  languages?: Partial<Record<Language, boolean>>;
  /** Starts a new Python kernel for each call. */
  forgetful?: boolean;
  /** `extra`: a file with servers for this run. */
  mcp?: { trustProject?: boolean; extra?: string };
};

/** The tools of one session that run programs. `dispose` ends everything that was started. */
export type ExecTools = {
  tools: Tool[];
  shell: SessionShell;
  /** The same shell for the commands of clients and people. */
  runner: ShellRunner;
  jobs: Jobs;
  /** Runs a command of a hook. */
  runHook: RunHook;
  /** Looked up once, at the first use. */
  sandbox(): Promise<Sandbox>;
  /** Ends kernels that have more permissions than the mode gives now. Background jobs continue. */
  restrict(): void;
  /** The diagnostics and edits of language servers after a file was written, as text. Never rejects. */
  afterWrite(path: string, wishes?: AfterWrite): Promise<string | undefined>;
  /** Starts the MCP servers, once; `onTools` receives their tools whenever they change. */
  connectMcp(onTools?: (tools: Tool[]) => void): Mcp;
  dispose(): Promise<void>;
};

export function execTools(options: ExecOptions): ExecTools {
  const setting = options.sandbox ?? "auto";
  const required = setting === "required";
  const { cwd, folders, agentDir } = options;
  const home = options.env.HOME ?? homedir();
  // Commands never receive the token of the daemon's owner, at most the session's token.
  for (const token of ownerTokens(options.env)) rememberSecret(token);
  const trust = openProjectTrust({ cwd, folders, home, agentDir, gantryHome: gantryFolder(options.env) });
  const raw = shellEnvironment(options);
  const env = { ...raw, PATH: trust.searchPath(raw.PATH ?? "") };
  const sandbox = sandboxOnce(setting, env.PATH, options.onProblem);
  const profiles = sandboxProfiles(options, setting, home);
  const shell = createShell({ cwd, env, sandbox, required });
  const jobs = new Jobs(shell, jobListener(options));
  const kernels = new Kernels({ cwd, agentDir, env, trust, sandbox, required });
  const applyEdit = async (edit: WorkspaceEdit) => {
    if (options.mode() === "plan") throw new Error("Plan mode only reads.");
    const confirm = servers.changing.at(-1);
    if (!confirm) throw new Error("The server may change files only while an allowed call runs.");
    await applyWorkspaceEdit(edit, confirm, AbortSignal.timeout(EDIT_MS));
  };
  const confine = async (command: readonly string[], { confined }: FoundServer) => {
    const it = await sandbox();
    if (it.kind !== "none") return it.wrap(command, profiles.languageServer(), cwd);
    if (!confined && !required) return undefined;
    const why = confined ? `it may run code of the project, which you have not trusted. ` : "";
    throw new Error(`${why}${it.why}${confined ? ` ${trustRemedy(trust)}` : " The settings require one."}`);
  };
  const servers = new ProjectServers({ cwd, agentDir, home, path: raw.PATH ?? "", env, trust, applyEdit, confine });
  const languages = languagesOf(options.languages ?? {}, options.env.GANTRY_PY);
  const { profile } = profiles;
  let mcp: Mcp | undefined;
  const logins = storedLogins(() => openLocalStore(options.env, agentDir));
  return {
    tools: [
      bashTool({ shell, jobs, profile }),
      jobTool(jobs),
      ...(languages.length > 0 ? [evalTool({ kernels, profile, languages, forgetful: options.forgetful })] : []),
      lspTool(servers),
    ],
    shell,
    runner: shellRunner(shell, options, profile, required),
    jobs,
    runHook: hookRunner({ cwd, env, sandbox, required, place: options, agentDir, mode: options.mode, profile }),
    sandbox,
    restrict: () => kernels.restrict(),
    afterWrite: afterWrite(servers, cwd),
    connectMcp(onTools = () => {}) {
      const files = mcpFiles(options, trust.isContentTrusted);
      const onProblem = (text: string) => options.onProblem?.(text, "mcp");
      mcp ??= connectMcp({ ...files, childEnv: env, logins, onTools, onProblem });
      return mcp;
    },
    async dispose() {
      await Promise.all([shell.dispose(), kernels.dispose(), servers.dispose(), mcp?.dispose()]);
      logins.close();
      profiles.dispose();
    },
  };
}

function jobListener({ jobs, onJobEnd }: ExecOptions): JobListener {
  return {
    ...jobs,
    onEnd(job) {
      jobs?.onEnd?.(job);
      if (job.status !== "cancelled") onJobEnd?.(`A background job has ended. ${inFull(job)}`);
    },
  };
}

/** `required`: commands that a person types run in the sandbox too. */
function shellRunner(
  shell: SessionShell,
  place: ToolPlace,
  profile: BashToolOptions["profile"],
  required: boolean,
): ShellRunner {
  return {
    actions: (command) => commandActions({ command }, place, shell).actions,
    async run(command, { signal, confined, output }) {
      const { actions, network, reads } = commandActions({ command }, place, shell);
      const sandboxed = confined || required ? profile(actions, place, network) : undefined;
      const outcome = await shell.run(command, { signal, output, reads, ...(sandboxed && { profile: sandboxed }) });
      return {
        ...(outcome.exitCode === undefined ? {} : { exitCode: outcome.exitCode }),
        cancelled: outcome.cancelled,
      };
    },
  };
}

/** The environment of the agent's commands: without credentials, pagers and password prompts. */
function shellEnvironment(options: ExecOptions): Record<string, string> {
  const filter = options.withoutSecrets ?? ((all) => withoutSecrets(all));
  const passed = Object.entries(filter(options.env)).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  const quiet = { PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0", TERM: "dumb" };
  return { ...Object.fromEntries(passed), ...quiet, GANTRY_SESSION_ID: options.sessionId, GANTRY_AGENT: "1" };
}

/** Looks for a sandbox at the first call, and reports a missing or weaker one. */
function sandboxOnce(setting: SandboxSetting, path: string, onProblem: ExecOptions["onProblem"]) {
  let found: Promise<Sandbox> | undefined;
  return () => {
    found ??= findSandbox(setting, process.platform, path).then((it) => {
      if (it.kind === "none" && setting === "auto") {
        onProblem?.(`${it.why} Only the permission mode restricts commands.`, "sandbox");
      }
      if (it.kind !== "none" && it.weaker !== undefined) onProblem?.(it.weaker, "sandbox");
      return it;
    });
    return found;
  };
}

/** Makes sandbox profiles, with folders for temporary files that `dispose` removes. */
function sandboxProfiles(options: ExecOptions, setting: SandboxSetting, home: string) {
  const { agentDir, env } = options;
  const shown = (options.sandboxShows ?? []).flatMap((path) => pathOf(path, home, home) ?? []);
  const common = { home, agentDir, env, shown };
  const temporary = new Map<string, string>();
  const temporaryFolder = (user: "commands" | "servers") => {
    const folder = temporary.get(user) ?? mkdtempSync(join(tmpdir(), "gantry-tmp-"));
    temporary.set(user, folder);
    return folder;
  };
  return {
    profile(actions: readonly Action[], place: ToolPlace, network = false): SandboxProfile | undefined {
      if (setting === "off") return undefined;
      const tmp = temporaryFolder("commands");
      return profileFor(options.mode(), actions, place, { ...common, network, tmp });
    },
    languageServer: () => languageServerProfile(options, { ...common, tmp: temporaryFolder("servers") }),
    dispose() {
      for (const folder of temporary.values()) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mcpFiles(
  { cwd, agentDir, env, mcp = {} }: ExecOptions,
  isContentTrusted: McpFiles["isContentTrusted"],
): McpFiles {
  const { trustProject = false, extra } = mcp;
  return { agentDir, cwd, trustProject, isContentTrusted, env, ...(extra !== undefined && { extra }) };
}
