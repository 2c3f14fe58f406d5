import type { ImageBlock, ThinkingLevel } from "@gantry/models";
import type { AgentSession, PromptOptions } from "../contract/session.ts";
import { SessionError } from "../contract/session.ts";
import type { Entry } from "../contract/session-store.ts";
import type { Resolution } from "../gates/store.ts";
import type { AcceptedDeclaration } from "../gates/unattended.ts";
import type { CommandInput, CommandName } from "./wire/commands.ts";
import { levelOnWire, modelOnWire, stateOnWire, todosFromWire, todosOnWire } from "./wire/event-wire.ts";
import type { WireGate } from "./wire/gate-wire.ts";

/** All entries of a session file, including other branches. */
export type EntryLog = { entries: readonly Entry[]; leafId: string | null };

export type LoginProvider = { id: string; name: string; available: boolean; authenticated: boolean };

/** Interactions during a login. `code` resolves to `undefined` if the user cancels or the code is no longer needed. */
export type LoginSteps = {
  openUrl(url: string, instructions?: string): void;
  code(prompt: string, needed: AbortSignal): Promise<string | undefined>;
  progress(message: string): void;
  signal: AbortSignal;
};

/** Services besides the session. A command whose service is absent gets an error or an empty result. */
export type RpcServices = {
  entries?(): EntryLog;
  thinkingLevels?(): readonly ThinkingLevel[];
  loginProviders?(): Promise<LoginProvider[]> | LoginProvider[];
  login?(providerId: string, steps: LoginSteps): Promise<void>;
  handoff?(instructions: string | undefined, signal: AbortSignal): Promise<{ savedPath?: string } | null>;
  slashCommands?(): { name: string; description?: string; source: string; path?: string }[];
};

/** What command handlers need besides their input. */
export type HandlerContext = {
  session: AgentSession;
  services: RpcServices;
  setHostTools(tools: CommandInput<"set_host_tools">["tools"]): string[];
  setHostSchemes(schemes: CommandInput<"set_host_uri_schemes">["schemes"]): string[];
  setGates(enabled: boolean): void;
  answerGate(input: CommandInput<"workflow_gate_response">): Resolution;
  pendingGates(): WireGate[];
  /** Shows the pending gates of the session again. */
  showGates(): void;
  negotiate(declaration: unknown): AcceptedDeclaration;
  login(providerId: string): Promise<void>;
  handoff(instructions: string | undefined): Promise<{ savedPath?: string } | null>;
  /** Whether the end of a run was published while its follow-up work is still running. */
  isTrailing(): boolean;
  /** Holds events back until the command has its response. */
  holdEvents(): void;
  /** Aborts running logins and handoffs. */
  abortOthers(): void;
};

type Handler<Name extends CommandName> = (
  context: HandlerContext,
  input: CommandInput<Name>,
  id: string | undefined,
) => unknown;

const imagesOf = (images: ImageBlock[] | null | undefined) => (images?.length ? { images } : {});
const toIdleOption = (start: boolean | null | undefined) => ({
  whenIdle: start ? ("start" as const) : ("wait" as const),
});
const withId = (id: string | undefined) => (id === undefined ? {} : { id });

/** The handler of each command. Its result becomes `data`; an error that it throws becomes `error`. */
export const handlers = {
  async prompt(context, { message, images, streamingBehavior }, id) {
    const queueing = streamingBehavior ? { streamingBehavior } : {};
    return await begin(context, message, { ...withId(id), ...imagesOf(images), ...queueing });
  },
  async steer({ session, holdEvents }, { message, images, startIfIdle }, id) {
    holdEvents();
    return {
      disposition: await session.steer(message, { ...withId(id), ...imagesOf(images), ...toIdleOption(startIfIdle) }),
    };
  },
  async follow_up({ session, holdEvents }, { message, images, startIfIdle }, id) {
    holdEvents();
    const options = { ...withId(id), ...imagesOf(images), ...toIdleOption(startIfIdle) };
    return { disposition: await session.followUp(message, options) };
  },
  async abort({ session, abortOthers }) {
    abortOthers();
    session.abortBash();
    await session.abort();
  },
  async abort_and_prompt(context, { message, images }, id) {
    await context.session.abort({ queue: "keep" });
    return await begin(context, message, { ...withId(id), ...imagesOf(images) });
  },
  clear_queue: ({ session }) => session.clearQueue(),
  resume_queue: ({ session }) => session.resumeQueue(),
  cancel_message: ({ session }, { messageId }) => ({ cancelled: session.cancelMessage(messageId) }),
  workflow_gate_response: ({ answerGate }, input) => answerGate(input),
  get_pending_workflow_gates: ({ pendingGates }) => ({ gates: pendingGates() }),

  async new_session({ session }, { parentSession }) {
    await session.newSession(parentSession ? { parentSession } : {});
    return { cancelled: false };
  },
  async switch_session({ session, showGates }, { sessionPath }) {
    await session.switchSession(sessionPath);
    showGates();
    return { cancelled: false };
  },
  branch,
  fork: branch,
  async clone({ session }) {
    await session.clone();
    return { cancelled: false };
  },
  async navigate_tree({ session }, { entryId, summarize, customInstructions, label }) {
    const moved = await session.navigate(entryId, {
      ...(summarize == null ? {} : { summarize }),
      ...(customInstructions == null ? {} : { instructions: customInstructions }),
      ...(label == null ? {} : { label }),
    });
    return { ...moved, cancelled: false };
  },
  get_branch_messages: ({ session }) => ({ messages: session.branchMessages() }),
  get_fork_messages: ({ session }) => ({ messages: session.branchMessages() }),
  async set_session_name({ session }, { name }) {
    if (name.trim() === "") throw new SessionError("Session name cannot be empty");
    await session.setName(name.trim());
  },

  get_state({ session }, { include }) {
    const state = stateOnWire(session.state());
    if (include?.some((part) => part !== "systemPrompt")) state.dumpTools = session.tools();
    if (include?.includes("systemPrompt")) state.systemPrompt = session.systemPrompt();
    return state;
  },
  get_session_stats: ({ session }) => {
    const { contextUsage } = session.state();
    return { ...session.stats(), ...(contextUsage ? { contextUsage } : {}) };
  },
  get_last_assistant_text: ({ session }) => ({ text: session.lastAssistantText() }),
  get_messages: ({ session }) => ({ messages: session.messages() }),
  get_entries({ services }, { since }) {
    const { entries, leafId } = logOf(services);
    if (!since) return { entries, leafId };
    const at = entries.findIndex(({ id }) => id === since);
    if (at < 0) throw new SessionError(`Entry not found: ${since}`);
    return { entries: entries.slice(at + 1), leafId };
  },
  get_tree({ services }) {
    const { entries, leafId } = logOf(services);
    return { tree: treeOf(entries), leafId };
  },
  get_commands: ({ services }) => ({ commands: services.slashCommands?.() ?? [] }),

  set_todos: ({ session }, { phases }) => ({ todoPhases: todosOnWire(session.setTodos(todosFromWire(phases))) }),
  set_steering_mode: ({ session }, { mode }) => session.setSteeringMode(mode),
  set_follow_up_mode: ({ session }, { mode }) => session.setFollowUpMode(mode),
  set_interrupt_mode: ({ session }, { mode }) => session.setInterruptMode(mode),
  set_mode: ({ session }, { mode }) => session.setMode(mode),
  set_workflow_gates: ({ setGates }, { enabled }) => setGates(enabled),
  compact: ({ session }, { customInstructions }) => session.compact(customInstructions ?? undefined),
  set_auto_compaction: ({ session }, { enabled }) => session.setAutoCompaction(enabled),
  set_auto_retry: ({ session }, { enabled }) => session.setAutoRetry(enabled),
  abort_retry: ({ session }) => session.abortRetry(),
  negotiate_unattended: ({ negotiate }, { declaration }) => negotiate(declaration),

  set_model: async ({ session }, { provider, modelId }) => modelOnWire(await session.setModel(provider, modelId)),
  async cycle_model({ session }) {
    const next = await session.cycleModel();
    return next && { ...next, thinkingLevel: levelOnWire(next.thinkingLevel), model: modelOnWire(next.model) };
  },
  get_available_models: ({ session }) => ({ models: session.availableModels().map(modelOnWire) }),
  set_thinking_level({ session }, { level }) {
    if (level !== "inherit") session.setThinkingLevel(level);
  },
  cycle_thinking_level({ session }) {
    const next = session.cycleThinkingLevel();
    return next && { level: levelOnWire(next.level) };
  },
  get_available_thinking_levels: ({ services }) => ({ levels: services.thinkingLevels?.() ?? ["off"] }),

  bash: ({ session }, { command, excludeFromContext }, id) =>
    session.bash(command, { ...withId(id), ...(excludeFromContext ? { excludeFromContext } : {}) }),
  abort_bash: ({ session }) => session.abortBash(),
  stop_job: async ({ session }, { jobId }) => ({ stopped: await session.stopJob(jobId) }),
  export_html: ({ session }, { outputPath }) => session.exportHtml(outputPath ?? undefined),
  set_host_tools: ({ setHostTools }, { tools }) => ({ toolNames: setHostTools(tools) }),
  set_host_uri_schemes: ({ setHostSchemes }, { schemes }) => ({ schemes: setHostSchemes(schemes) }),
  handoff: ({ handoff }, { customInstructions }) => handoff(customInstructions ?? undefined),
  get_login_providers: async ({ services }) => ({ providers: (await services.loginProviders?.()) ?? [] }),
  async login({ login }, { providerId }) {
    await login(providerId);
    return { providerId };
  },
} satisfies { [Name in CommandName]: Handler<Name> };

/** What a command returns as `data`. */
export type CommandResult<Name extends CommandName> = Awaited<ReturnType<(typeof handlers)[Name]>>;

/**
 * A client may start the next run as soon as it received the end of the previous one, although a compaction may still
 * be running. The response comes before any event of the new run.
 */
async function begin({ session, isTrailing, holdEvents }: HandlerContext, message: string, options: PromptOptions) {
  if (isTrailing()) await session.waitUntilSettled();
  holdEvents();
  const disposition = await session.prompt(message, options);
  // Clients end the turn of a command at this response, unless a run follows.
  return { disposition, ...(message.startsWith("/") ? { agentInvoked: disposition !== "handled" } : {}) };
}

async function branch(
  { session }: HandlerContext,
  { entryId }: { entryId: string },
): Promise<{ text: string; cancelled: boolean }> {
  const { text } = await session.branch(entryId);
  return { text, cancelled: false };
}

function logOf({ entries }: RpcServices): EntryLog {
  if (!entries) throw new SessionError("This session does not store entries.");
  return entries();
}

type TreeNode = { entry: Entry; children: TreeNode[]; label?: string };

/** Builds the tree of entries. A label is attached to its target. */
function treeOf(entries: readonly Entry[]): TreeNode[] {
  const nodes = new Map<string, TreeNode>(entries.map((entry) => [entry.id, { entry, children: [] }]));
  const roots: TreeNode[] = [];
  for (const node of nodes.values()) {
    const { entry } = node;
    const parent = entry.parentId === null ? undefined : nodes.get(entry.parentId);
    (parent?.children ?? roots).push(node);
    if (entry.type !== "label") continue;
    const target = nodes.get(entry.targetId);
    if (target && entry.label !== undefined) target.label = entry.label;
    else if (target) delete target.label;
  }
  return roots;
}
