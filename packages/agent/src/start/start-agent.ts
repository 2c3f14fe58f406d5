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
import type { ExtensionHost } from "../extensions/host.ts";
import { classOf } from "../gates/declaration.ts";
import type { Memory } from "../memory/port.ts";
import type { RpcServices } from "../rpc/handlers.ts";
import { findSandbox } from "../sandbox/sandbox.ts";
import { loadSettings, withDefaultWorkflow } from "../settings/load.ts";
import { openProjectTrust, pathNotice } from "../trust/project-trust.ts";
import { discoverModels } from "./discover-models.ts";
import { openExtensions, withExtensionKeys } from "./extensions/open-extensions.ts";
import { loginServices } from "./logins.ts";
import { createMemoryWorker } from "./memory-worker.ts";
import { openSession, selectorOf } from "./open-session.ts";
import type { AgentOptions } from "./options.ts";
import { formatProblem, type Shared } from "./shared.ts";
import { readSkills, skillFolders } from "./skills.ts";
import { abandonStore, firstStore } from "./stores.ts";

/** A started agent: its session and what its hosts need besides it. */
export type StartedAgent = {
  session: AgentSession;
  registry: FullModelRegistry;
  credentials: OpenCredentials;
  agentDir: string;
  memory: Memory;
  services: RpcServices;
  /** Absent if there are none. */
  extensions?: ExtensionHost;
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
  try {
    return await openAgent(shared, cwd);
  } catch (error) {
    await releaseShared(shared);
    throw error;
  }
}

async function openAgent(shared: Shared, cwd: string): Promise<StartedAgent> {
  const { options, agentDir, registry, credentials, problems } = shared;
  const place = { agentDir, ...(options.sessionDir ? { dir: resolve(options.sessionDir) } : {}) };
  const first = firstStore(options, cwd, place);
  const { store } = first;
  problems.push(...store.problems);
  const session = await openSession(shared, { cwd, store, depth: 0 }, place).catch((error: unknown) => {
    abandonStore(first);
    throw error;
  });
  session.setToolUi(options.ui);
  if (options.keepProfile) storeProfile(options, agentDir);
  shared.memoryWorker.begin({ id: store.header.id, model: () => session.state().model });
  return {
    session,
    memory: shared.memoryWorker.memory,
    registry,
    credentials,
    agentDir,
    problems,
    ...(shared.extensions ? { extensions: shared.extensions } : {}),
    classify: (command) => session.bashActions(command).flatMap((action) => classOf(action) ?? []),
    services: {
      entries: () => session.entries(),
      thinkingLevels() {
        const { model } = session.state();
        return model ? registry.levels(model) : ["off"];
      },
      handoff: (instructions) => session.handoff(instructions),
      slashCommands: () => [...shared.skills.commands, ...(shared.extensions?.commands() ?? [])],
      ...loginServices(options.env, agentDir, credentials, shared.extensions?.providers),
    },
  };
}

/** Called if no session could be opened: nothing may run or stay open in a program that continues. */
async function releaseShared(shared: Shared): Promise<void> {
  const { options, registry, credentials, modelDiscovery, memoryWorker, extensions } = shared;
  modelDiscovery.stop();
  await extensions?.close();
  await memoryWorker.stop();
  if (!options.supplied?.registry) registry.close();
  if (!options.supplied?.credentials) credentials.close();
}

/** Loads settings, credentials, models and skills. Project folders are removed from PATH first. */
async function createShared(request: AgentOptions, cwd: string, agentDir: string): Promise<Shared> {
  const path = request.env.PATH ?? "";
  const user = { home: request.env.HOME ?? homedir(), agentDir, gantryHome: gantryFolder(request.env) };
  const trust = openProjectTrust({ cwd, folders: request.folders ?? [], ...user });
  const env = { ...request.env, PATH: trust.searchPath(path) };
  const options = { ...request, env };
  const { settings: loaded, problems } = options.supplied?.settings ?? (await loadSettings({ agentDir, cwd }));
  const settings = options.defaultWorkflow ? withDefaultWorkflow(loaded) : loaded;
  if (settings.sandbox === "required") await checkSandbox(env.PATH, join(agentDir, "config.yml"));
  const { registry, credentials } = openModelsOf(options, cwd, agentDir);
  const extensions = await openExtensions(options, { cwd, ...user }, settings, registry);
  credentials.useFallback(extensions ? withExtensionKeys(registry.keys, extensions.providers.keys) : registry.keys);
  const notice = pathNotice(trust, path);
  const reported = [...[...problems, ...registry.problems()].map(formatProblem), ...(extensions?.problems ?? [])];
  await credentials.ready();
  const modelDiscovery = await discoverModels(registry, selectorOf(options));
  applyModelOptions(options, registry, credentials);
  // A program's stream replaces all transports, those of extensions too.
  const stream = options.supplied?.stream ?? extensions?.wrapStream(streamModel) ?? streamModel;
  const skills = await readSkills(options.noSkills ? [] : skillFolders(cwd, agentDir, options.skills), reported);
  return {
    options,
    agentDir,
    settings,
    registry,
    credentials,
    stream,
    outputs: new Map(),
    problems: notice === undefined ? reported : [...reported, notice],
    mcpTools: () => [],
    modelDiscovery,
    ...(extensions ? { extensions } : {}),
    skills,
    memoryWorker: createMemoryWorker({
      cwd,
      agentDir,
      settings: settings.memories,
      registry,
      asker: { stream, credentials, env },
    }),
  };
}

/** The models and credentials of this machine, or those that the program supplies. */
function openModelsOf({ env, home, modelsFiles, supplied = {} }: AgentOptions, cwd: string, agentDir: string) {
  const credentials = supplied.credentials ?? openCredentials({ env, agentDir });
  const registry =
    supplied.registry ?? createModelRegistry({ home, agentDir, cwd, env, credentials, moreFiles: modelsFiles });
  return { registry, credentials };
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
