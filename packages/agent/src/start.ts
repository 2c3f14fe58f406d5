import { join, resolve } from "node:path";
import {
  agentFolder,
  type ConfigProblem,
  createModelRegistry,
  type FullModelRegistry,
  keepDefaultProfile,
  type OpenCredentials,
  openCredentials,
  resolvedSecrets,
  streamModel,
  withoutSecrets,
} from "@gantry/models";
import type { PermissionMode } from "./permissions/action.ts";
import { classify } from "./permissions/classify.ts";
import { decide, PERMISSION_MODES } from "./permissions/decide.ts";
import { paced } from "./rpc/flow.ts";
import type { RpcServices } from "./rpc/handlers.ts";
import { createRules } from "./rules/create-rules.ts";
import { createSecrets } from "./secrets/secrets.ts";
import { createAgentSession } from "./session/create.ts";
import type { AgentSessionOptions, Decide, ShellRunner } from "./session/options.ts";
import { type AgentSession, SessionError } from "./session/port.ts";
import { createSessionStore } from "./sessions/open.ts";
import { artifactFolder } from "./sessions/place.ts";
import type { SessionStore } from "./sessions/port.ts";
import { loadSettings } from "./settings/load.ts";
import type { Settings } from "./settings/schema.ts";
import { diagnosed } from "./start/diagnosed.ts";
import { discoverModels } from "./start/discovering.ts";
import { loginServices } from "./start/logins.ts";
import type { AgentOptions } from "./start/options.ts";
import { createPendingNotes } from "./start/pending.ts";
import { createRemembering, type Remembering } from "./start/remembering.ts";
import { readSkills, type Skills } from "./start/skills.ts";
import { createStores, firstStore } from "./start/stores.ts";
import { type Assignment, type TaskParts, taskTool } from "./tasks/task-tool.ts";
import { type ExecTools, execTools } from "./tools/exec-tools.ts";
import { fileTools } from "./tools/file-tools.ts";
import type { PendingQueue } from "./tools/resolve/tool.ts";
import type { Tool } from "./tools/tool.ts";
import { createUrlRouter } from "./tools/urls/router.ts";

/** An agent that is ready for its user, and what its hosts want to know beside the session. */
export type StartedAgent = {
  session: AgentSession;
  registry: FullModelRegistry;
  credentials: OpenCredentials;
  agentDir: string;
  services: RpcServices;
  /** What is wrong with files of the user, in words. None of it keeps the agent from working. */
  problems: string[];
  /** What a shell command counts as. */
  classify(command: string): string;
};

const MCP_PATIENCE_MS = 10_000;
/** Tools after whose work language servers are asked. */
const WRITES: ReadonlySet<string> = new Set(["write"]);

/** What all sessions of a process have in common. */
type Shared = {
  options: AgentOptions;
  agentDir: string;
  settings: Settings;
  registry: FullModelRegistry;
  credentials: OpenCredentials;
  /** What subagents gave back, by id. */
  outputs: Map<string, string>;
  problems: string[];
  mcpTools: () => Tool[];
  discovering: { stop(): void };
  skills: Skills;
  remembering: Remembering;
};

type Place = {
  cwd: string;
  store: SessionStore;
  depth: number;
  id?: string;
  model?: string;
  mode?: PermissionMode;
  decide?: Decide;
};

type Where = { agentDir: string; dir?: string };

/**
 * Puts Gantry's agent together: the only place that knows all its parts. Throws a `SessionError` for what was asked for
 * and is not there; what is wrong with a file is a problem and nothing more.
 */
export async function startAgent(options: AgentOptions): Promise<StartedAgent> {
  const { env, home } = options;
  const cwd = resolve(options.cwd);
  const agentDir = agentFolder(env);
  const credentials = openCredentials({ env, agentDir });
  const registry = createModelRegistry({
    home,
    agentDir,
    cwd,
    env,
    credentials,
    moreFiles: options.modelsFiles,
  });
  credentials.useFallback(registry.keys);
  const { settings, problems } = await loadSettings({ agentDir, cwd });
  const told = [...problems, ...registry.problems()].map(problemWords);
  await credentials.ready();
  const discovering = await discoverModels(registry, selectorOf(options));
  choose(options, agentDir, registry, credentials);
  const asker = { stream: streamModel, credentials, env };
  const shared: Shared = {
    options,
    agentDir,
    settings,
    registry,
    credentials,
    outputs: new Map(),
    problems: told,
    mcpTools: () => [],
    discovering,
    skills: await readSkills(options.noSkills ? [] : skillFolders(options, cwd, agentDir)),
    remembering: createRemembering({ cwd, agentDir, enabled: settings.memories.enabled, registry, asker }),
  };
  const place = { agentDir, ...(options.sessionDir ? { dir: resolve(options.sessionDir) } : {}) };
  const store = firstStore(options, cwd, place);
  told.push(...store.problems);
  shared.remembering.begin(store.header.id);
  const { session, current } = await openSession(shared, { cwd, store, depth: 0 }, place);
  return {
    session,
    registry,
    credentials,
    agentDir,
    problems: shared.problems,
    classify: (command) => classify(command, { cwd, folders: options.folders ?? [] }).worst,
    services: {
      entries: () => ({ entries: current().entries(), leafId: current().leafId }),
      thinkingLevels() {
        const { model } = session.state();
        return model ? registry.levels(model) : ["off"];
      },
      handoff: (instructions) => session.handoff(instructions),
      slashCommands: () => shared.skills.commands,
      ...loginServices(env, agentDir, credentials),
    },
  };
}

function skillFolders({ skills = [] }: AgentOptions, cwd: string, agentDir: string): string[] {
  return [...skills, join(cwd, ".gantry", "skills"), join(agentDir, "skills")];
}

/** What the command line chose about models, before anything is asked of one. */
function choose(
  options: AgentOptions,
  agentDir: string,
  registry: FullModelRegistry,
  credentials: OpenCredentials,
): void {
  const { profile, keepProfile } = options;
  if (profile !== undefined) {
    const used = registry.useProfile(profile);
    const kept = used.ok && keepProfile ? keepDefaultProfile(join(agentDir, "config.yml"), profile) : used;
    if (!kept.ok) throw new SessionError(kept.message);
  }
  if (options.apiKey === undefined) return;
  const provider =
    options.provider ?? registry.initial(options.model ? { selector: options.model } : {})?.model.provider;
  if (provider === undefined) throw new SessionError("--api-key needs --model, to know whose key it is.");
  credentials.override(provider, options.apiKey);
}

/** One session with its tools. `current` is the store that it has now: sessions are left and entered. */
async function openSession(
  shared: Shared,
  place: Place,
  where: Where,
): Promise<{ session: AgentSession; current(): SessionStore }> {
  const { options, settings, agentDir } = shared;
  const { cwd, store } = place;
  let current = store;
  const session: { now?: AgentSession } = {};
  const pending = createPendingNotes();
  const exec = execToolsOf(shared, place, session);
  const check = settings.lsp.enabled && settings.lsp.diagnosticsOnWrite && !options.noLsp ? exec.afterWrite : undefined;
  const tools = [
    ...fileToolsOf(settings, pending, session).map((tool) =>
      check && WRITES.has(tool.name) ? diagnosed(tool, check) : tool,
    ),
    ...exec.tools,
    taskToolOf(shared, place, () => current, session),
  ];
  const router = createUrlRouter({ agent: (id) => shared.outputs.get(id) });
  const user = options.env.HOME ? { home: options.env.HOME } : {};
  const rules = await createRules({ cwd, agentDir, ...user, stream: settings.ttsr, off: options.noRules === true });
  const secrets = settings.secrets.enabled
    ? await createSecrets({ enabled: true, env: options.env, cwd, agentDir, values: resolvedSecrets })
    : undefined;
  const wrong = [...rules.problems.map((problem) => ({ path: "", ...problem })), ...(secrets?.problems ?? [])];
  shared.problems.push(...wrong.map(problemWords));
  const inner = await createAgentSession({
    cwd,
    folders: options.folders ?? [],
    env: options.env,
    store,
    stores: createStores(store, where, (next) => {
      current = next;
      pending.forget();
    }),
    registry: shared.registry,
    credentials: shared.credentials,
    stream: paced(streamModel, options.flow),
    settings,
    rules,
    tools: chosenTools(options, settings, tools).map((tool) => pending.note(tool)),
    urls: {
      agent: { description: "What a subagent gave back.", read: (url, signal) => router.read(url, signal) },
      ...(settings.memories.enabled ? { memory: shared.remembering.memory.urls } : {}),
      ...(shared.skills.urls ? { skill: shared.skills.urls } : {}),
    },
    shell: shellOf(exec.shell),
    ...(secrets ? { secrets } : {}),
    exportHtml: async (from, path) =>
      (await import("./export/html/export-html.ts")).exportHtml(from, path, { agentDir }),
    ...choices(options, place, [shared.skills.prompt, shared.remembering.memory.prompt()]),
  });
  const served = serveMcp(shared, place, inner, exec);
  const { remembering, discovering } = shared;
  session.now = alsoDisposing(inner, served, shared.skills, async () => {
    await exec.dispose();
    if (place.depth > 0) return;
    discovering.stop();
    await remembering.stop();
  });
  return { session: session.now, current: () => current };
}

/**
 * Tools of MCP servers come when they come; the first prompt waits for them a little. Those below use the connections of
 * the session that a person talks to.
 */
function serveMcp(shared: Shared, { depth }: Place, session: AgentSession, exec: ExecTools): Promise<unknown> {
  if (depth > 0) session.setTools("mcp", shared.mcpTools());
  if (depth > 0 || shared.options.noTools) return Promise.resolve();
  const mcp = exec.connectMcp((tools) => session.setTools("mcp", tools));
  session.setUrls("mcp", { mcp: mcp.url });
  shared.mcpTools = () => mcp.tools();
  return Promise.race([mcp.ready, new Promise((resolve) => setTimeout(resolve, MCP_PATIENCE_MS).unref())]);
}

/** Tools are made before their session, and need it only when they run. */
type Later = { now?: AgentSession };

function later({ now }: Later): AgentSession {
  if (!now) throw new SessionError("The session has not begun yet.");
  return now;
}

function execToolsOf(
  { options, agentDir, problems, settings }: Shared,
  { cwd, store }: Place,
  session: Later,
): ExecTools {
  return execTools({
    cwd,
    folders: options.folders ?? [],
    env: options.env,
    agentDir,
    sessionId: store.header.id,
    mode: () => session.now?.state().mode ?? "plan",
    withoutSecrets,
    mcp: {
      trustProject: settings.mcp.enableProjectConfig,
      ...(options.mcpConfig === undefined ? {} : { extra: resolve(cwd, options.mcpConfig) }),
    },
    onNotice(text) {
      // The model hears of it in what it does just now; nobody begins to work because of it.
      if (session.now?.state().isStreaming) void session.now.followUp(text);
      else problems.push(text);
    },
  });
}

function fileToolsOf(settings: Settings, pending: PendingQueue, session: Later): Tool[] {
  const { mode, ...editing } = settings.edit;
  const parts = {
    ...settings,
    edit: { ...editing, mode: mode === "patch" ? ("apply_patch" as const) : mode },
    read: { defaultLines: settings.read.defaultLimit },
  };
  return fileTools(parts, {
    pending,
    todos: {
      get: () => later(session).state().todoPhases,
      set: (phases) => void later(session).setTodos(phases),
    },
  });
}

function taskToolOf(shared: Shared, place: Place, store: () => SessionStore, session: Later): Tool {
  const { settings, agentDir, outputs } = shared;
  return taskTool({
    depth: place.depth,
    ...(place.id === undefined ? {} : { parentId: place.id }),
    outputs,
    worktrees: join(agentDir, "worktrees"),
    maxConcurrency: settings.task.maxConcurrency,
    maxDepth: settings.task.maxRecursionDepth,
    maxRuntimeMs: settings.task.maxRuntimeMs,
    ...(settings.task.forkContext.enabled ? { inheritance: inheritanceOf(settings, session) } : {}),
    spawn: (assignment) => spawn(shared, place.depth + 1, later(session), store(), assignment),
  });
}

function inheritanceOf({ task }: Settings, session: Later): NonNullable<TaskParts["inheritance"]> {
  const { maxMessages, maxTokens } = task.forkContext;
  return {
    maxMessages,
    maxTokens,
    get contextWindow() {
      return later(session).state().model?.contextWindow;
    },
    messages: () => later(session).messages(),
  };
}

/** A session below another: the same model, person and guard, and never a freer mode, whatever becomes of the parent's. */
async function spawn(
  shared: Shared,
  depth: number,
  parent: AgentSession,
  parentStore: SessionStore,
  { id, cwd, text, schema }: Assignment,
): Promise<AgentSession> {
  const { model, mode, thinkingLevel } = parent.state();
  const where = { agentDir: shared.agentDir, ...(parentStore.file ? { dir: artifactFolder(parentStore.file) } : {}) };
  const store = createSessionStore({
    ...where,
    cwd,
    inMemory: parentStore.file === undefined,
    ...(parentStore.file ? { parentSession: parentStore.file } : {}),
  });
  store.setTitle(id, "auto");
  const person = shared.options.person !== undefined;
  const place: Place = {
    cwd,
    store,
    depth,
    id,
    mode,
    ...(model ? { model: `${model.provider}/${model.id}:${thinkingLevel}` } : {}),
    decide: (now, actions, at, grants) => decide(lower(now, parent.state().mode), actions, at, grants, { person }),
  };
  const { session } = await openSession(shared, place, where);
  const tools = session.tools().map(({ name }) => name);
  const outputSchema = schema === undefined ? {} : { outputSchema: schema };
  store.append({
    type: "session_init",
    systemPrompt: session.systemPrompt().join("\n"),
    task: text,
    tools,
    ...outputSchema,
  });
  return session;
}

function lower(a: PermissionMode, b: PermissionMode): PermissionMode {
  return PERMISSION_MODES.indexOf(a) < PERMISSION_MODES.indexOf(b) ? a : b;
}

function chosenTools({ tools, noTools, noLsp }: AgentOptions, { lsp }: Settings, made: Tool[]): Tool[] {
  if (noTools) return [];
  const all = noLsp || !lsp.enabled ? made.filter(({ name }) => name !== "lsp") : made;
  if (!tools) return all;
  const unknown = tools.find((name) => !all.some((tool) => tool.name === name));
  if (unknown !== undefined) {
    throw new SessionError(`There is no tool ${unknown}. There are: ${all.map(({ name }) => name).join(", ")}.`);
  }
  return all.filter(({ name, hidden }) => hidden || tools.includes(name));
}

function choices(
  options: AgentOptions,
  place: Place,
  told: readonly (string | undefined)[],
): Partial<AgentSessionOptions> {
  const { thinking, models, systemPrompt, person, guard } = options;
  const append = [...told, options.appendSystemPrompt].filter((text) => text !== undefined).join("\n\n");
  const model = place.model ?? selectorOf(options);
  const mode = place.mode ?? options.mode;
  return {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(place.decide ? { decide: place.decide } : {}),
    ...(place.depth === 0 && thinking !== undefined ? { thinking } : {}),
    ...(models === undefined ? {} : { scoped: models }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(append === "" ? {} : { appendSystemPrompt: append }),
    ...(person ? { person } : {}),
    ...(guard ? { guard } : {}),
  };
}

function selectorOf({ model, provider }: AgentOptions): string | undefined {
  return model !== undefined && provider !== undefined && !model.startsWith(`${provider}/`)
    ? `${provider}/${model}`
    : model;
}

/** The user's own commands: what they print as it comes, and no sandbox, since the user typed them. */
function shellOf(shell: ExecTools["shell"]): ShellRunner {
  return {
    async run(command, { cwd: _cwd, signal, output }) {
      const { exitCode, cancelled } = await shell.run(command, { signal, output });
      return { ...(exitCode === undefined ? {} : { exitCode }), cancelled };
    },
  };
}

function alsoDisposing(
  session: AgentSession,
  ready: Promise<unknown>,
  { expand }: Skills,
  more: () => Promise<void>,
): AgentSession {
  const own: Partial<AgentSession> = {
    async prompt(text, options) {
      await ready;
      return session.prompt(expand(text), options);
    },
    steer: (text, options) => session.steer(expand(text), options),
    followUp: (text, options) => session.followUp(expand(text), options),
    async dispose() {
      await session.dispose();
      await more();
    },
  };
  return new Proxy(session, {
    get(target, key) {
      const value: unknown = Reflect.get(own, key) ?? Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

function problemWords({ file, line, path, message }: ConfigProblem): string {
  return `${file}${line === undefined ? "" : `:${line}`}: ${path === "" ? "" : `${path}: `}${message}`;
}
