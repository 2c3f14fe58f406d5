import type { ImageBlock, Model, ThinkingLevel, ToolSpec } from "@gantry/models";
import { handoffQuestion, saveHandoff } from "../compaction/handoff.ts";
import type { AgentEvent, TodoPhase } from "../contract/events.ts";
import type { AgentMessage } from "../contract/messages.ts";
import type { SessionStores } from "../contract/ports.ts";
import {
  type AgentSession,
  type BashResult,
  type CompactionResult,
  type Disposition,
  type InterruptMode,
  type MoveOptions,
  type PromptOptions,
  type QueueMode,
  type QueueOptions,
  SessionError,
  type SessionState,
  type SessionStats,
} from "../contract/session.ts";
import type { Entry, SessionStore } from "../contract/session-store.ts";
import type { Tool, UrlHandler } from "../contract/tool.ts";
import type { Incoming } from "../loop/ports.ts";
import type { PermissionMode } from "../permissions/action.ts";
import { branchPoint, branchSession } from "../session-files/branching.ts";
import { createSessionStore, openSessionStore } from "../session-files/open.ts";
import { assemble, type SessionParts } from "./assemble/assemble.ts";
import type { Surroundings } from "./assemble/questions.ts";
import { askForText } from "./context/asking.ts";
import { IdleWatch } from "./context/idle.ts";
import type { AgentSessionOptions } from "./options.ts";
import { SessionMemory } from "./state/memory.ts";
import { plainText } from "./state/queue.ts";
import { statsOf } from "./stats.ts";
import { moveInTree } from "./tree-move.ts";

const BUSY = "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.";

export class Session implements AgentSession {
  readonly cwd: string;
  readonly #options: AgentSessionOptions;
  readonly #stores: SessionStores;
  readonly #listeners = new Set<(event: AgentEvent) => void>();
  readonly #parts: SessionParts;
  readonly #idle: IdleWatch;
  /** Notices from before anybody listened. */
  readonly #unheard: AgentEvent[] = [];
  #disposed = false;

  constructor(options: AgentSessionOptions, surroundings: Surroundings) {
    this.cwd = options.cwd;
    this.#options = options;
    this.#stores = options.stores ?? storesBeside(options.store);
    this.#parts = assemble(
      options,
      surroundings,
      (event) => this.#emit(event),
      (signal) => this.#handOff(undefined, signal),
    );
    const { settings, compactor } = this.#parts;
    this.#idle = new IdleWatch({
      settings: settings.compaction,
      tokens: () => compactor.usage()?.tokens ?? 0,
      work: () => this.#compactIdle(),
    });
  }

  get id(): string {
    return this.#store.header.id;
  }

  get #store(): SessionStore {
    return this.#parts.transcript.store;
  }

  state(): SessionState {
    const { choice, permission, driver, queue, settings, transcript, compactor } = this.#parts;
    const usage = compactor.usage();
    return {
      ...(choice.model ? { model: choice.model } : {}),
      thinkingLevel: choice.thinking,
      mode: permission.mode,
      isStreaming: driver.busy,
      isCompacting: compactor.busy,
      steeringMode: queue.steeringMode,
      followUpMode: queue.followUpMode,
      interruptMode: queue.interruptMode,
      ...(this.#store.file === undefined ? {} : { sessionFile: this.#store.file }),
      sessionId: this.id,
      ...(this.#store.header.title === undefined ? {} : { sessionName: this.#store.header.title }),
      autoCompactionEnabled: settings.compaction.enabled,
      autoRetryEnabled: settings.retry.enabled,
      messageCount: transcript.messages.length,
      queuedMessageCount: queue.size,
      todoPhases: this.#parts.todos.phases,
      ...(usage ? { contextUsage: usage } : {}),
    };
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    for (const event of this.#unheard.splice(0)) this.#emit(event);
    return () => this.#listeners.delete(listener);
  }

  async prompt(text: string, options: PromptOptions = {}): Promise<Disposition> {
    await this.#ready();
    const { driver } = this.#parts;
    if (driver.busy) {
      if (options.streamingBehavior === "steer") return await this.steer(text, options);
      if (options.streamingBehavior === "followUp") return await this.followUp(text, options);
      throw new SessionError(BUSY);
    }
    return this.#start(this.#said(text, options));
  }

  async steer(text: string, options: QueueOptions = {}): Promise<Disposition> {
    await this.#ready();
    const { driver, queue } = this.#parts;
    const incoming = this.#said(text, options);
    if (!driver.busy && options.whenIdle !== "wait") return this.#start(incoming);
    queue.steer(incoming);
    return "queued";
  }

  async followUp(text: string, options: QueueOptions = {}): Promise<Disposition> {
    await this.#ready();
    const { driver, queue } = this.#parts;
    const incoming = this.#said(text, options);
    if (!driver.busy && options.whenIdle !== "wait") return this.#start(incoming);
    queue.followUp(incoming);
    return "queued";
  }

  async abort(): Promise<void> {
    await this.#parts.driver.abort();
  }

  clearQueue(): { steering: string[]; followUp: string[] } {
    return this.#parts.queue.clear();
  }

  async settled(): Promise<void> {
    await this.#parts.driver.settled();
  }

  async newSession(options: { parentSession?: string } = {}): Promise<void> {
    this.#alive();
    await this.#replace(() => this.#stores.create({ cwd: this.cwd, ...options }));
  }

  async switchSession(path: string): Promise<void> {
    this.#alive();
    await this.#replace(() => this.#stores.open(path));
  }

  async branch(entryId: string): Promise<{ text: string }> {
    this.#alive();
    const { leafId, text } = branchPoint(this.#store, entryId);
    await this.#replace(() => this.#stores.branch(this.#store, leafId));
    return { text };
  }

  async clone(): Promise<void> {
    this.#alive();
    await this.#replace(() => this.#stores.branch(this.#store, this.#store.leafId));
  }

  async navigate(entryId: string, options: MoveOptions = {}): Promise<{ text?: string; summary?: string }> {
    this.#alive();
    const { driver, choice, permission, todos, marks, choices } = this.#parts;
    await driver.abort();
    const moved = await driver.alone((signal) => moveInTree(this.#parts, entryId, options, signal));
    choices.clear();
    todos.restore();
    marks.restore();
    choice.remember();
    permission.remember();
    this.#options.rules?.restore(this.#store.branch().injectedRules);
    this.#tellName();
    return moved;
  }

  entries(): { entries: readonly Entry[]; leafId: string | null } {
    return { entries: this.#store.entries(), leafId: this.#store.leafId };
  }

  branchMessages(): { entryId: string; text: string }[] {
    return this.#store.path().flatMap((entry) => {
      if (entry.type !== "message" || entry.message.role !== "user") return [];
      return [{ entryId: entry.id, text: plainText(entry.message.content) }];
    });
  }

  async setName(name: string): Promise<void> {
    this.#alive();
    if (name.trim() === "") throw new SessionError("Session name cannot be empty");
    this.#store.setTitle(name.trim(), "user");
    this.#emit({ type: "session_info_changed", name: name.trim() });
  }

  messages(): readonly AgentMessage[] {
    return [...this.#parts.transcript.messages];
  }

  lastAssistantText(): string | null {
    const last = this.#parts.transcript.messages.findLast(
      (each) => each.role === "assistant" && each.content.length > 0,
    );
    if (last?.role !== "assistant") return null;
    const text = last.content.map((each) => (each.type === "text" ? each.text : "")).join("");
    return text === "" ? null : text;
  }

  stats(): SessionStats {
    return statsOf(this.#store);
  }

  async exportHtml(path?: string): Promise<{ path: string }> {
    this.#alive();
    if (!this.#options.exportHtml) throw new SessionError("This session cannot be exported.");
    this.#store.flush();
    return await this.#options.exportHtml(this.#store, path);
  }

  async setModel(provider: string, modelId: string): Promise<Model> {
    this.#alive();
    const model = this.#parts.choice.set(provider, modelId);
    this.#parts.fallback.forget();
    return model;
  }

  async cycleModel(by: 1 | -1 = 1): Promise<{ model: Model; thinkingLevel: ThinkingLevel; isScoped: boolean } | null> {
    this.#alive();
    const cycled = this.#parts.choice.cycle(by);
    if (cycled) this.#parts.fallback.forget();
    return cycled;
  }

  availableModels(): readonly Model[] {
    return this.#options.registry.available();
  }

  setThinkingLevel(level: ThinkingLevel): void {
    this.#parts.choice.setThinking(level);
  }

  cycleThinkingLevel(): { level: ThinkingLevel } | null {
    return this.#parts.choice.cycleThinking();
  }

  setMode(mode: PermissionMode): void {
    this.#parts.permission.mode = mode;
  }

  setSteeringMode(mode: QueueMode): void {
    this.#parts.queue.steeringMode = mode;
  }

  setFollowUpMode(mode: QueueMode): void {
    this.#parts.queue.followUpMode = mode;
  }

  setInterruptMode(mode: InterruptMode): void {
    this.#parts.queue.interruptMode = mode;
  }

  async compact(instructions?: string): Promise<CompactionResult> {
    this.#alive();
    const { driver, compactor } = this.#parts;
    await driver.abort();
    return await driver.alone((signal) => compactor.compact(instructions, signal));
  }

  async handoff(instructions?: string): Promise<{ savedPath?: string }> {
    this.#alive();
    const { driver } = this.#parts;
    await driver.abort();
    return await driver.alone((signal) => this.#handOff(instructions, signal));
  }

  setAutoCompaction(enabled: boolean): void {
    this.#parts.settings.compaction.enabled = enabled;
  }

  setAutoRetry(enabled: boolean): void {
    this.#parts.settings.retry.enabled = enabled;
  }

  abortRetry(): void {
    this.#parts.driver.abortRetry();
  }

  async bash(command: string, options: { id?: string; excludeFromContext?: boolean } = {}): Promise<BashResult> {
    this.#alive();
    return await this.#parts.bash.run(command, options);
  }

  abortBash(): void {
    this.#parts.bash.abort();
  }

  setTodos(phases: TodoPhase[]): TodoPhase[] {
    return this.#parts.todos.set(phases);
  }

  systemPrompt(): readonly string[] {
    return this.#parts.system();
  }

  tools(): readonly ToolSpec[] {
    return this.#parts.toolbox.offered();
  }

  setTools(owner: string, tools: readonly Tool[]): void {
    this.#parts.toolbox.setTools(owner, tools);
  }

  setUrls(owner: string, schemes: Record<string, UrlHandler>): void {
    this.#parts.toolbox.setUrls(owner, schemes);
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#idle.stop();
    this.#parts.todos.stop();
    await Promise.all([this.#parts.driver.abort(), this.#parts.bash.stop()]);
    await this.#parts.memory.now.dispose();
    this.#store.close();
    await this.#parts.equipment?.dispose?.();
  }

  #compactIdle(): void {
    const { driver, compactor } = this.#parts;
    if (driver.busy || this.#disposed) return;
    void driver.alone((signal) => compactor.makeRoom("idle", false, signal));
  }

  #said(text: string, options: Pick<PromptOptions, "id" | "images">): Incoming {
    return userMessage(this.#parts.equipment?.expand?.(text) ?? text, options);
  }

  #start(incoming: Incoming): Disposition {
    this.#parts.choice.require();
    this.#parts.reminders.beginAnew();
    this.#parts.driver.start([incoming]);
    return "started";
  }

  /** Another conversation takes the place of this one. What cannot be opened leaves everything as it was. */
  async #replace(open: () => SessionStore): Promise<void> {
    const { driver, bash, queue } = this.#parts;
    await Promise.all([driver.abort(), bash.stop()]);
    const next = open();
    queue.clear();
    await this.#adopt(next);
  }

  async #adopt(next: SessionStore): Promise<void> {
    const { transcript, choice, permission, todos, marks, choices, memory, fallback } = this.#parts;
    const before = this.#store;
    const modelBefore = choice.model;
    transcript.swap(next);
    before.close();
    choices.clear();
    fallback.forget();
    const kept = memory.now;
    memory.now = new SessionMemory();
    await kept.dispose();
    this.#options.rules?.restore(next.branch().injectedRules);
    if (transcript.messages.length > 0) choice.restore();
    else choice.remember();
    permission.restore();
    todos.restore();
    marks.restore();
    if (choice.model && choice.model !== modelBefore) {
      const { provider, id } = choice.model;
      this.#emit({ type: "model_changed", model: `${provider}/${id}`, thinkingLevel: choice.thinking });
    }
    this.#tellName();
  }

  /** Also says that the conversation is another one than before. */
  #tellName(): void {
    const { title } = this.#store.header;
    this.#emit({ type: "session_info_changed", ...(title ? { name: title } : {}) });
  }

  async #handOff(instructions: string | undefined, signal: AbortSignal): Promise<{ savedPath?: string }> {
    const { transcript, ask, settings } = this.#parts;
    if (transcript.messages.length === 0) throw new SessionError("Nothing to hand off (session is empty)");
    const messages = handoffQuestion(transcript.messages, instructions);
    const asked = () => ask({ messages, toolChoice: "none", signal });
    const { text, usage } = await askForText({ signal }, asked, settings.retry, this.#options.guard);
    transcript.spent(usage);
    const from = this.#store.file;
    const savedPath = settings.compaction.handoffSaveToDisk ? await saveHandoff(from, text) : undefined;
    await this.#adopt(this.#stores.create({ cwd: this.cwd, ...(from === undefined ? {} : { parentSession: from }) }));
    transcript.record({ role: "custom", customType: "handoff", content: text, display: true, timestamp: Date.now() });
    return savedPath === undefined ? {} : { savedPath };
  }

  /** What the session was equipped with may still be on its way. */
  async #ready(): Promise<void> {
    this.#alive();
    await this.#parts.equipment?.ready;
    this.#alive();
  }

  #alive(): void {
    if (this.#disposed) throw new SessionError("The session has ended.");
  }

  /** A turn that was told is one that a loss of power does not take back. */
  #makeSafe(): void {
    try {
      this.#store.flush();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#emit({ type: "notice", level: "error", message, source: "session" });
    }
  }

  /** A listener that fails does not keep the others, nor the session, from going on. */
  #emit(event: AgentEvent): void {
    if (event.type === "turn_end") this.#makeSafe();
    this.#idle?.heard(event);
    if (event.type === "notice" && this.#listeners.size === 0) this.#unheard.push(event);
    for (const listener of [...this.#listeners]) {
      try {
        listener(event);
      } catch {
        // Whoever listens looks after their own mistakes.
      }
    }
  }
}

function userMessage(text: string, { id, images }: { id?: string; images?: ImageBlock[] }): Incoming {
  const content = images && images.length > 0 ? [{ type: "text" as const, text }, ...images] : text;
  const message = { role: "user" as const, content, timestamp: Date.now() };
  return { message, ...(id === undefined ? {} : { promptId: id }) };
}

/** New sessions lie where the first one lies. */
function storesBeside(store: SessionStore): SessionStores {
  const inMemory = store.file === undefined;
  return {
    create: (options) => createSessionStore({ ...options, inMemory }),
    open: (path) => openSessionStore(path),
    branch: (from, leafId) => branchSession(from, leafId),
  };
}
