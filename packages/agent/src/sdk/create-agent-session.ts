import { agentFolder, gantryFolder, type OpenCredentials, openCredentials } from "@gantry/models";
import { type AgentSession, LoginRequiredError } from "../contract/session.ts";
import { PERMISSION_MODES } from "../permissions/decide.ts";
import { type LoadedSettings, loadSettings } from "../settings/load.ts";
import type { AgentOptions, SuppliedParts } from "../start/options.ts";
import { type StartedAgent, startAgent } from "../start/start-agent.ts";
import { embedSession } from "./embedded-session.ts";
import { completeCredentials, completeRegistry } from "./models.ts";
import type { CreateAgentSessionOptions, CreateAgentSessionResult } from "./options.ts";
import { createCallbackPerson } from "./person.ts";

/** The freest mode that a program gets without asking for one. */
const FREEST_DEFAULT = "ask";

/**
 * Creates a session of Gantry's agent in this process. What the options leave out is discovered: models, credentials,
 * settings, rules, skills, extensions and MCP servers of this machine. Safe by default: what needs approval is denied without
 * `approve`, programs that the project supplies need the user's trust, and requests carry placeholders for secrets.
 * Rejects with a `SessionError` if a requested session, model or tool does not exist. The caller disposes the session.
 */
export async function createAgentSession(options: CreateAgentSessionOptions = {}): Promise<CreateAgentSessionResult> {
  const env = { ...(options.env ?? process.env), ...(options.agentDir ? { GANTRY_AGENT_DIR: options.agentDir } : {}) };
  const cwd = options.cwd ?? process.cwd();
  const agentDir = agentFolder(env);
  const credentials = credentialsOf(options, env, agentDir);
  let started: StartedAgent | undefined;
  const release = () => {
    if (!options.registry) started?.registry.close();
    if (!options.credentials) credentials.close();
  };
  try {
    const supplied = { ...suppliedParts(options), credentials, settings: await settingsOf(options, agentDir, cwd) };
    const person = createCallbackPerson(options);
    started = await startAgent({
      ...agentOptions(options),
      ...(person ? { person } : {}),
      ...{ env, cwd, home: gantryFolder(env), supplied },
    });
    if (options.mode === undefined && !options.settings) limitMode(started.session);
  } catch (error) {
    await started?.session.dispose();
    release();
    throw error;
  }
  const { session, registry, problems } = started;
  const modelFallbackMessage = options.model === undefined ? fallbackMessage(session) : undefined;
  return {
    session: embedSession(session, release),
    registry,
    credentials,
    problems,
    ...(modelFallbackMessage === undefined ? {} : { modelFallbackMessage }),
    setToolUi: (ui) => session.setToolUi(ui),
  };
}

function agentOptions(options: CreateAgentSessionOptions): Omit<AgentOptions, "env" | "cwd" | "home"> {
  const { model, mcp, rules, skills, extensions, store, toolNames, scopedModels, lsp } = options;
  const { folders, thinking, modelsFiles, mode, systemPrompt, appendSystemPrompt, guard, ui } = options;
  const { sessionDir, resume, fork, continueRecent } = options;
  return {
    ...{ folders, thinking, modelsFiles, mode, systemPrompt, appendSystemPrompt, guard, ui },
    ...{ sessionDir, resume, fork, continueRecent },
    ...(model === undefined ? {} : { model: typeof model === "string" ? model : `${model.provider}/${model.id}` }),
    ...(scopedModels ? { models: scopedModels } : {}),
    ...(toolNames?.length === 0 ? { noTools: true } : toolNames ? { tools: toolNames } : {}),
    ...(skills ? { skills } : {}),
    ...(extensions ? { extensions } : {}),
    ...(typeof mcp === "string" ? { mcpConfig: mcp } : {}),
    noSession: store === "memory",
    noRules: rules === false,
    noSkills: skills === false,
    noExtensions: extensions === false,
    noMcp: mcp === false,
    noLsp: lsp === false,
  };
}

function suppliedParts({ registry, stream, rules, store, stores, tools }: CreateAgentSessionOptions): SuppliedParts {
  return {
    ...(registry ? { registry: completeRegistry(registry) } : {}),
    ...(stream ? { stream } : {}),
    ...(rules ? { rules } : {}),
    ...(typeof store === "object" ? { store } : {}),
    ...(stores ? { stores } : {}),
    ...(tools ? { tools } : {}),
  };
}

function credentialsOf(
  { credentials: given, apiKeys = {} }: CreateAgentSessionOptions,
  env: Record<string, string | undefined>,
  agentDir: string,
): OpenCredentials {
  const credentials = given ? completeCredentials(given) : openCredentials({ env, agentDir });
  for (const [provider, key] of Object.entries(apiKeys)) credentials.override(provider, key);
  return credentials;
}

/** The user's settings are for a person at the terminal. A program gets `ask` at most, and secrets are always redacted. */
async function settingsOf(
  { settings, redactSecrets }: CreateAgentSessionOptions,
  agentDir: string,
  cwd: string,
): Promise<LoadedSettings> {
  if (settings) {
    const enabled = redactSecrets ?? settings.secrets.enabled;
    return { settings: { ...settings, secrets: { ...settings.secrets, enabled } }, problems: [] };
  }
  const loaded = await loadSettings({ agentDir, cwd });
  loaded.settings.secrets.enabled = redactSecrets ?? true;
  if (isFreer(loaded.settings.permissions.mode)) loaded.settings.permissions.mode = FREEST_DEFAULT;
  return loaded;
}

/** A resumed session may have been left in a freer mode. */
function limitMode(session: AgentSession): void {
  if (isFreer(session.state().mode)) session.setMode(FREEST_DEFAULT);
}

function isFreer(mode: (typeof PERMISSION_MODES)[number]): boolean {
  return PERMISSION_MODES.indexOf(mode) > PERMISSION_MODES.indexOf(FREEST_DEFAULT);
}

function fallbackMessage(session: AgentSession): string | undefined {
  const { model } = session.state();
  if (!model) return NO_MODEL;
  const stored = session
    .entries()
    .entries.findLast(
      (entry) => entry.type === "model_change" && (entry.role === undefined || entry.role === "default"),
    );
  const used = `${model.provider}/${model.id}`;
  if (stored?.type !== "model_change" || stored.model === used) return undefined;
  return `The session's model ${stored.model} is not available. ${used} is used instead.`;
}

const NO_MODEL = `No model is available. Log in with \`gantry auth login <provider>\`, set a key, or pass \`model\` and \`apiKeys\`. Until then a prompt is refused (${LoginRequiredError.name}).`;
