import { resolvedSecrets } from "@gantry/models";
import type { Rules } from "../contract/rules.ts";
import type { AgentSession } from "../contract/session.ts";
import type { PermissionMode } from "../permissions/action.ts";
import { decide, PERMISSION_MODES } from "../permissions/decide.ts";
import { paceStream } from "../rpc/wire/pace-stream.ts";
import { createRules } from "../rules/create-rules.ts";
import { createSecrets } from "../secrets/secrets.ts";
import { createSession } from "../session/create.ts";
import type { SessionOptions } from "../session/options.ts";
import type { Equipment, SessionHandle } from "../session/tools/equipment.ts";
import { createSessionStore } from "../session-files/open.ts";
import { artifactFolder } from "../session-files/paths.ts";
import type { Assignment } from "../tasks/task-tool.ts";
import { equip } from "./equip.ts";
import type { AgentOptions } from "./options.ts";
import { formatProblem, type SessionSlot, type Shared } from "./shared.ts";
import { createStores } from "./stores.ts";

type Where = { agentDir: string; dir?: string };

/** Opens one session with its rules, secrets and tools. */
export async function openSession(shared: Shared, slot: SessionSlot, where: Where): Promise<AgentSession> {
  const { options, settings, agentDir } = shared;
  const { cwd, store } = slot;
  const { supplied = {} } = options;
  const rules = (slot.depth === 0 && supplied.rules) || (await rulesOf(shared, cwd));
  const secrets = settings.secrets.enabled
    ? await createSecrets({ enabled: true, env: options.env, cwd, agentDir, values: resolvedSecrets })
    : undefined;
  const wrong = [...rules.problems.map((problem) => ({ path: "", ...problem })), ...(secrets?.problems ?? [])];
  shared.problems.push(...wrong.map(formatProblem));
  const { extensions } = shared;
  const isMain = slot.depth === 0;
  const isResumed = store.entries().length > 0;
  let own: SessionHandle | undefined;
  let equipment: Equipment | undefined;
  const session = await createSession({
    cwd,
    folders: options.folders ?? [],
    env: options.env,
    store,
    stores: (slot.depth === 0 && supplied.stores) || createStores(store, where),
    registry: shared.registry,
    credentials: shared.credentials,
    stream: paceStream(shared.stream, options.flow),
    settings,
    rules,
    equip(handle) {
      own = handle;
      equipment = equip(shared, slot, handle, (parent, assignment) =>
        spawn(shared, slot.depth + 1, parent, assignment),
      );
      return equipment;
    },
    ...(extensions ? { hooks: extensions.hooks({ isMain, secrets, runHook: () => equipment?.runHook }) } : {}),
    ...(secrets ? { secrets } : {}),
    exportHtml: async (from, path) =>
      (await import("../export/html/export-html.ts")).exportHtml(from, path, { agentDir }),
    ...sessionChoices(options, slot, [shared.skills.prompt, shared.memoryWorker.memory.prompt()]),
  });
  if (isMain && own) extensions?.attach({ session, own, secrets, isResumed });
  return session;
}

function rulesOf({ options, settings, agentDir }: Shared, cwd: string): Promise<Rules> {
  const user = options.env.HOME ? { home: options.env.HOME } : {};
  return createRules({ cwd, agentDir, ...user, stream: settings.ttsr, off: options.noRules === true });
}

/** Opens a subagent session: same model, person and guard as its parent, and never a less restrictive mode. */
async function spawn(
  shared: Shared,
  depth: number,
  parent: SessionHandle,
  { id, cwd, text, schema }: Assignment,
): Promise<AgentSession> {
  const model = parent.model();
  const { file } = parent.store();
  const where = { agentDir: shared.agentDir, ...(file ? { dir: artifactFolder(file) } : {}) };
  const inMemory = file === undefined;
  const store = createSessionStore({ ...where, cwd, inMemory, ...(file ? { parentSession: file } : {}) });
  store.setTitle(id, "auto");
  const person = shared.options.person !== undefined;
  const slot: SessionSlot = {
    cwd,
    store,
    depth,
    id,
    mode: parent.mode(),
    ...(model ? { model: `${model.provider}/${model.id}:${parent.thinking()}` } : {}),
    decide: (now, actions, at, grants) => decide(stricterMode(now, parent.mode()), actions, at, grants, { person }),
  };
  const session = await openSession(shared, slot, where);
  store.append({
    type: "session_init",
    systemPrompt: session.systemPrompt().join("\n"),
    task: text,
    tools: session.tools().map(({ name }) => name),
    ...(schema === undefined ? {} : { outputSchema: schema }),
  });
  return session;
}

function stricterMode(a: PermissionMode, b: PermissionMode): PermissionMode {
  return PERMISSION_MODES.indexOf(a) < PERMISSION_MODES.indexOf(b) ? a : b;
}

function sessionChoices(
  options: AgentOptions,
  slot: SessionSlot,
  promptBlocks: readonly (string | undefined)[],
): Partial<SessionOptions> {
  const { thinking, models, systemPrompt, person, guard } = options;
  const append = [...promptBlocks, options.appendSystemPrompt].filter((text) => text !== undefined).join("\n\n");
  const model = slot.model ?? selectorOf(options);
  const mode = slot.mode ?? options.mode;
  return {
    ...(model === undefined ? {} : { model }),
    ...(mode === undefined ? {} : { mode }),
    ...(slot.decide ? { decide: slot.decide } : {}),
    ...(slot.depth === 0 && thinking !== undefined ? { thinking } : {}),
    ...(models === undefined ? {} : { scoped: models }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(append === "" ? {} : { appendSystemPrompt: append }),
    ...(person ? { person } : {}),
    ...(guard ? { guard } : {}),
  };
}

/** The model that the command line names. */
export function selectorOf({ model, provider }: AgentOptions): string | undefined {
  return model !== undefined && provider !== undefined && !model.startsWith(`${provider}/`)
    ? `${provider}/${model}`
    : model;
}
