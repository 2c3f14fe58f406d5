import { homedir } from "node:os";
import { join, resolve } from "node:path";
import {
  agentFolder,
  createModelRegistry,
  type FullModelRegistry,
  gantryFolder,
  type OpenCredentials,
  openCredentials,
  streamModel,
  writeSetting,
} from "@gantry/models";
import { type AgentSession, LoginRequiredError, SandboxRequiredError, SessionError } from "../contract/session.ts";
import { classOf } from "../gates/declaration.ts";
import type { RpcServices } from "../rpc/handlers.ts";
import { findSandbox } from "../sandbox/sandbox.ts";
import { loadSettings, withDefaultWorkflow } from "../settings/load.ts";
import { openProjectTrust, pathNotice } from "../trust/project-trust.ts";
import { discoverModels } from "./discover-models.ts";
import { loginServices } from "./logins.ts";
import { createMemoryWorker } from "./memory-worker.ts";
import { openSession, selectorOf } from "./open-session.ts";
import type { AgentOptions } from "./options.ts";
import { formatProblem, type Shared } from "./shared.ts";
import { readSkills } from "./skills.ts";
import { abandonStore, firstStore } from "./stores.ts";

/** A started agent: its session and what its hosts need besides it. */
export type StartedAgent = {
  session: AgentSession;
  registry: FullModelRegistry;
  credentials: OpenCredentials;
  agentDir: string;
  services: RpcServices;
  /** Problems in the user's files, as text. They do not prevent the agent from working. */
  problems: string[];
  /** The action classes of a shell command, as for a call of the tool `bash`. */
  classify(command: string): string[];
};

/**
 * Assembles Gantry's agent from its parts. Throws a `SessionError` if a requested session, model or tool does not exist.
 * An invalid file is only reported in `problems`.
 */
export async function startAgent(request: AgentOptions): Promise<StartedAgent> {
  const cwd = resolve(request.cwd);
  const agentDir = agentFolder(request.env);
  const shared = await createShared(request, cwd, agentDir);
  const { options, registry, credentials, problems } = shared;
  const place = { agentDir, ...(options.sessionDir ? { dir: resolve(options.sessionDir) } : {}) };
  const first = firstStore(options, cwd, place);
  const { store } = first;
  problems.push(...store.problems);
  shared.memoryWorker.begin(store.header.id);
  const session = await openSession(shared, { cwd, store, depth: 0 }, place).catch((error: unknown) => {
    abandonStore(first);
    throw error;
  });
  if (options.keepProfile) storeProfile(options, agentDir);
  return {
    session,
    registry,
    credentials,
    agentDir,
    problems,
    classify: (command) => session.bashActions(command).flatMap((action) => classOf(action) ?? []),
    services: {
      entries: () => session.entries(),
      thinkingLevels() {
        const { model } = session.state();
        return model ? registry.levels(model) : ["off"];
      },
      handoff: (instructions) => session.handoff(instructions),
      slashCommands: () => shared.skills.commands,
      ...loginServices(options.env, agentDir, credentials),
    },
  };
}

/** Loads settings, credentials, models and skills. Project folders are removed from PATH first. */
async function createShared(request: AgentOptions, cwd: string, agentDir: string): Promise<Shared> {
  const path = request.env.PATH ?? "";
  const user = { home: request.env.HOME ?? homedir(), agentDir, gantryHome: gantryFolder(request.env) };
  const trust = openProjectTrust({ cwd, folders: request.folders ?? [], ...user });
  const env = { ...request.env, PATH: trust.searchPath(path) };
  const options = { ...request, env };
  const { settings: loaded, problems } = await loadSettings({ agentDir, cwd });
  const settings = options.defaultWorkflow ? withDefaultWorkflow(loaded) : loaded;
  if (settings.sandbox === "required") await checkSandbox(env.PATH, join(agentDir, "config.yml"));
  const credentials = openCredentials({ env, agentDir });
  const moreFiles = options.modelsFiles;
  const registry = createModelRegistry({ home: options.home, agentDir, cwd, env, credentials, moreFiles });
  credentials.useFallback(registry.keys);
  const notice = pathNotice(trust, path);
  const reported = [...problems, ...registry.problems()].map(formatProblem);
  await credentials.ready();
  const modelDiscovery = await discoverModels(registry, selectorOf(options));
  applyModelOptions(options, registry, credentials);
  const asker = { stream: streamModel, credentials, env };
  const skills = await readSkills(options.noSkills ? [] : skillFolders(options, cwd, agentDir), reported);
  return {
    options,
    agentDir,
    settings,
    registry,
    credentials,
    outputs: new Map(),
    problems: notice === undefined ? reported : [...reported, notice],
    mcpTools: () => [],
    modelDiscovery,
    skills,
    memoryWorker: createMemoryWorker({ cwd, agentDir, enabled: settings.memories.enabled, registry, asker }),
  };
}

/** Throws a `SandboxRequiredError` if no sandbox works. Called before the session is opened. */
async function checkSandbox(path: string, file: string): Promise<void> {
  const sandbox = await findSandbox("required", process.platform, path);
  if (sandbox.kind !== "none") return;
  throw new SandboxRequiredError(
    `${sandbox.why} ${file} requires one (a value that cannot be read counts as required), so the agent did not start and nothing was run.`,
    `Install bubblewrap (the program bwrap), or write "sandbox: auto" in ${file}.`,
  );
}

function skillFolders({ skills = [] }: AgentOptions, cwd: string, agentDir: string): string[] {
  return [...skills, join(cwd, ".gantry", "skills"), join(agentDir, "skills")];
}

/** Applies the model options of the command line: the profile and the API key. */
function applyModelOptions(options: AgentOptions, registry: FullModelRegistry, credentials: OpenCredentials): void {
  const { profile } = options;
  if (profile !== undefined) {
    const used = registry.useProfile(profile);
    if (!used.ok) throw new (registry.profile(profile) ? LoginRequiredError : SessionError)(used.message);
  }
  if (options.apiKey === undefined) return;
  const provider =
    options.provider ?? registry.initial(options.model ? { selector: options.model } : {})?.model.provider;
  if (provider === undefined)
    throw new SessionError("--api-key needs --model, which determines the provider of the key.");
  credentials.override(provider, options.apiKey);
}

/** Makes the profile the default. Called when the agent has started, so that a failed start changes nothing. */
function storeProfile({ profile }: AgentOptions, agentDir: string): void {
  if (profile === undefined) return;
  const stored = writeSetting(join(agentDir, "config.yml"), ["modelProfile", "default"], profile);
  if (!stored.ok) throw new SessionError(stored.message);
}
