import type { Model, ThinkingLevel } from "@gantry/models";
import { errorText } from "../contract/errors.ts";
import type { AgentEvent } from "../contract/events.ts";
import { type AgentMessage, lastAnswerText } from "../contract/messages.ts";
import type { SessionStores } from "../contract/ports.ts";
import {
  type AgentSession,
  type BashOptions,
  type BashResult,
  type CompactionResult,
  type CustomInput,
  type CustomOptions,
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
import type { Incoming } from "../loop/ports.ts";
import type { PermissionMode } from "../permissions/action.ts";
import { PERMISSION_MODES } from "../permissions/decide.ts";
import { branchPoint } from "../session-files/branch-session.ts";
import { adoptStore, nameChanged, storesNextTo } from "./adopt-store.ts";
import { assemble, type SessionParts } from "./assemble/assemble.ts";
import type { SessionEnvironment } from "./assemble/requests.ts";
import { IdleWatch } from "./context/idle-watch.ts";
import { writeHandoff } from "./context/write-handoff.ts";
import { moveInTree } from "./navigate.ts";
import type { SessionOptions } from "./options.ts";
import { createCustomMessage, createUserMessage } from "./state/queue.ts";
import { describeState, statsOf, userMessagesOf } from "./stats.ts";
import { Subscribers } from "./subscribers.ts";

const BUSY = "Agent is already processing. Specify streamingBehavior ('steer' or 'followUp') to queue the message.";

export class Session implements AgentSession {
  readonly cwd: string;
  readonly bashActions: AgentSession["bashActions"] = (command) => this.#parts.bash.actions(command);
  readonly #options: SessionOptions;
  readonly #stores: SessionStores;
  readonly #subscribers = new Subscribers();
  readonly #parts: SessionParts;
  readonly #idle: IdleWatch;
  #disposed = false;

  constructor(options: SessionOptions, surroundings: SessionEnvironment) {
    this.cwd = options.cwd;
    this.#options = options;
    this.#stores = options.stores ?? storesNextTo(options.store);
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
    return describeState(this.#parts);
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    return this.#subscribers.add(listener);
  }

  async prompt(text: string, options: PromptOptions = {}): Promise<Disposition> {
    const incoming = await this.#accept(text, options);
    if (!incoming) return "handled";
    if (!this.#parts.driver.busy) return this.#start(incoming);
    if (!options.streamingBehavior) throw new SessionError(BUSY);
    this.#parts.queue[options.streamingBehavior](incoming);
    return "queued";
  }

  steer(text: string, options: QueueOptions = {}): Promise<Disposition> {
    return this.#enqueue(text, options, (incoming) => this.#parts.queue.steer(incoming));
  }

  followUp(text: string, options: QueueOptions = {}): Promise<Disposition> {
    return this.#enqueue(text, options, (incoming) => this.#parts.queue.followUp(incoming));
  }

  async sendCustomMessage(input: CustomInput, options: CustomOptions = {}): Promise<Disposition | "stored"> {
    const incoming = createCustomMessage(input);
    const { deliverAs = "steer", triggerTurn = false } = options;
    await this.#waitUntilReady();
    if (this.#parts.driver.busy && deliverAs !== "nextTurn") {
      this.#parts.queue[deliverAs](incoming);
      return "queued";
    }
    if (deliverAs === "nextTurn") this.#parts.queue.note(incoming);
    else if (triggerTurn) return this.#start(incoming);
    else {
      const { message } = incoming;
      this.#parts.transcript.record(message);
      this.#emit({ type: "message_start", message });
      this.#emit({ type: "message_end", message });
    }
    return "stored";
  }

  async abort({ queue = "pause" }: { queue?: "pause" | "keep" } = {}): Promise<void> {
    if (queue === "pause" && this.#parts.driver.busy) this.#parts.queue.hold();
    await this.#parts.driver.abort();
  }

  async resumeQueue(): Promise<void> {
    await this.#waitUntilReady();
    this.#parts.driver.resumeQueue();
  }

  cancelMessage(id: string): boolean {
    return this.#parts.queue.cancel(id);
  }

  clearQueue(): { steering: string[]; followUp: string[] } {
    return this.#parts.queue.clear();
  }

  async waitUntilSettled(): Promise<void> {
    await this.#parts.driver.waitUntilSettled();
  }

  async newSession(options: { parentSession?: string } = {}): Promise<void> {
    this.#requireOpen();
    await this.#replace(() => this.#stores.create({ cwd: this.cwd, ...options }));
  }

  async switchSession(path: string): Promise<void> {
    this.#requireOpen();
    await this.#replace(() => this.#stores.open(path));
  }

  async branch(entryId: string): Promise<{ text: string }> {
    this.#requireOpen();
    const { leafId, text } = branchPoint(this.#store, entryId);
    await this.#replace(() => this.#stores.branch(this.#store, leafId));
    return { text };
  }

  async clone(): Promise<void> {
    this.#requireOpen();
    await this.#replace(() => this.#stores.branch(this.#store, this.#store.leafId));
  }

  async navigate(entryId: string, options: MoveOptions = {}): Promise<{ text?: string; summary?: string }> {
    this.#requireOpen();
    const { driver, choice, permission, todos, marks, previews } = this.#parts;
    await driver.abort();
    const moved = await driver.runExclusively((signal) => moveInTree(this.#parts, entryId, options, signal));
    previews.clear();
    todos.restore();
    marks.restore();
    choice.persist();
    permission.persist();
    this.#options.rules?.restore(this.#store.branch().injectedRules);
    this.#emit(nameChanged(this.#store));
    return moved;
  }

  entries(): { entries: readonly Entry[]; leafId: string | null } {
    return { entries: this.#store.entries(), leafId: this.#store.leafId };
  }

  branchMessages(): { entryId: string; text: string }[] {
    return userMessagesOf(this.#store);
  }

  async setName(name: string): Promise<void> {
    this.#requireOpen();
    if (name.trim() === "") throw new SessionError("Session name cannot be empty");
    this.#store.setTitle(name.trim(), "user");
    this.#emit({ type: "session_info_changed", name: name.trim() });
  }

  messages(): readonly AgentMessage[] {
    return [...this.#parts.transcript.messages];
  }

  lastAssistantText(): string | null {
    return lastAnswerText(this.#parts.transcript.messages);
  }

  stats(): SessionStats {
    return statsOf(this.#store);
  }

  async exportHtml(path?: string): Promise<{ path: string }> {
    this.#requireOpen();
    if (!this.#options.exportHtml) throw new SessionError("This session cannot be exported.");
    this.#store.flush();
    return await this.#options.exportHtml(this.#store, path);
  }

  async setModel(provider: string, modelId: string): Promise<Model> {
    this.#requireOpen();
    const model = this.#parts.choice.set(provider, modelId);
    this.#parts.fallback.forget();
    return model;
  }

  async cycleModel(by: 1 | -1 = 1): Promise<{ model: Model; thinkingLevel: ThinkingLevel; isScoped: boolean } | null> {
    this.#requireOpen();
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
    const isLower = PERMISSION_MODES.indexOf(mode) < PERMISSION_MODES.indexOf(this.#parts.permission.mode);
    this.#parts.permission.mode = mode;
    if (isLower) this.#parts.equipment?.restrict?.();
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
    this.#requireOpen();
    const { driver, compactor } = this.#parts;
    await driver.abort();
    return await driver.runExclusively((signal) => compactor.compact(instructions, signal));
  }

  async handoff(instructions?: string): Promise<{ savedPath?: string }> {
    this.#requireOpen();
    await this.#parts.driver.abort();
    return await this.#parts.driver.runExclusively((signal) => this.#handOff(instructions, signal));
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

  async bash(command: string, options: BashOptions = {}): Promise<BashResult> {
    this.#requireOpen();
    return await this.#parts.bash.run(command, options);
  }

  abortBash(): void {
    this.#parts.bash.abort();
  }

  readonly jobs: AgentSession["jobs"] = () => this.#parts.equipment?.jobs?.() ?? [];
  readonly stopJob: AgentSession["stopJob"] = async (id) => (await this.#parts.equipment?.stopJob?.(id)) ?? false;
  readonly setTodos: AgentSession["setTodos"] = (phases) => this.#parts.todos.set(phases);
  readonly systemPrompt: AgentSession["systemPrompt"] = () => this.#parts.system();

  readonly tools: AgentSession["tools"] = () => this.#parts.toolbox.listOffered();
  readonly setTools: AgentSession["setTools"] = (owner, tools) => this.#parts.toolbox.setTools(owner, tools);
  readonly setUrls: AgentSession["setUrls"] = (owner, schemes) => this.#parts.toolbox.setUrls(owner, schemes);
  readonly getAllTools: AgentSession["getAllTools"] = () => this.#parts.toolbox.listAllNames();
  readonly getActiveTools: AgentSession["getActiveTools"] = () => this.tools().map(({ name }) => name);
  readonly setActiveTools: AgentSession["setActiveTools"] = (names) => this.#parts.toolbox.setActive(names);
  readonly setToolUi: AgentSession["setToolUi"] = (ui) => {
    this.#parts.toolbox.ui = ui;
  };

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
    void driver.runExclusively((signal) => compactor.makeRoom("idle", false, signal));
  }

  /** `undefined`: a command took the text. */
  async #accept(text: string, options: Pick<PromptOptions, "id" | "images">): Promise<Incoming | undefined> {
    await this.#waitUntilReady();
    const accepted = (await this.#options.hooks?.prompt?.(text)) ?? { text };
    this.#requireOpen();
    if ("refused" in accepted) throw new SessionError(accepted.refused);
    if ("handled" in accepted) return undefined;
    return createUserMessage(this.#parts.equipment?.expand?.(accepted.text) ?? accepted.text, options);
  }

  async #enqueue(text: string, options: QueueOptions, add: (incoming: Incoming) => void): Promise<Disposition> {
    const incoming = await this.#accept(text, options);
    if (!incoming) return "handled";
    if (!this.#parts.driver.busy && options.whenIdle !== "wait") return this.#start(incoming);
    add(incoming);
    return "queued";
  }

  #start(incoming: Incoming): Disposition {
    this.#parts.choice.require();
    this.#parts.reminders.reset();
    this.#parts.driver.start([incoming]);
    return "started";
  }

  /** Switches to another session file. If `open` throws, the current session stays unchanged. */
  async #replace(open: () => SessionStore): Promise<void> {
    const { driver, bash, queue } = this.#parts;
    await Promise.all([driver.abort(), bash.stop()]);
    const next = open();
    queue.clear();
    await this.#adopt(next);
  }

  #adopt(next: SessionStore): Promise<void> {
    return adoptStore(this.#parts, this.#options.rules, next, (event) => this.#emit(event));
  }

  async #handOff(instructions: string | undefined, signal: AbortSignal): Promise<{ savedPath?: string }> {
    const from = this.#store.file;
    const { text, savedPath } = await writeHandoff(this.#parts, this.#options.guard, instructions, signal);
    await this.#adopt(this.#stores.create({ cwd: this.cwd, ...(from === undefined ? {} : { parentSession: from }) }));
    this.#parts.transcript.record(createCustomMessage({ customType: "handoff", content: text }).message);
    return savedPath === undefined ? {} : { savedPath };
  }

  /** Waits for equipment that is still starting. */
  async #waitUntilReady(): Promise<void> {
    this.#requireOpen();
    await this.#parts.equipment?.ready;
    this.#requireOpen();
  }

  #requireOpen(): void {
    if (this.#disposed) throw new SessionError("The session has ended.");
  }

  /** Makes a turn durable before its end is published. */
  #flush(): void {
    try {
      this.#store.flush();
    } catch (error) {
      this.#emit({ type: "notice", level: "error", message: errorText(error), source: "session" });
    }
  }

  #emit(event: AgentEvent): void {
    if (event.type === "turn_end") this.#flush();
    this.#idle?.onEvent(event);
    this.#subscribers.publish(event);
  }
}
