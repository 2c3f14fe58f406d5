import { setImmediate as nextTurn } from "node:timers/promises";
import type { FullModelRegistry, StreamModel } from "@gantry/models";
import { openTrustStore, realPath, trustCommand } from "@gantry/trust";
import type { AgentEvent } from "../contract/events.ts";
import type { Hooks } from "../contract/hooks.ts";
import type { Secrets } from "../contract/ports.ts";
import type { AgentSession } from "../contract/session.ts";
import type { Tool, ToolOutput } from "../contract/tool.ts";
import type { UserInterface } from "../contract/ui.ts";
import type { SessionHandle } from "../session/tools/equipment.ts";
import type { RunHook } from "../tools/bash/run-hook.ts";
import { extensionTool } from "./api/extension-tool.ts";
import type { ExtensionTool } from "./api/types.ts";
import { type CommandRow, SlashCommands } from "./commands/slash-commands.ts";
import type { ExtensionPlace } from "./discovery/places.ts";
import { CommandHooks } from "./hooks/command-hooks.ts";
import { ModuleHooks } from "./hooks/module-hooks.ts";
import { createSessionHooks } from "./hooks/session-hooks.ts";
import { describeExtension, type ExtensionRow } from "./list.ts";
import { copyOf } from "./load/copy.ts";
import { ExtensionSet, type ExtensionSettings } from "./load/extension-set.ts";
import { type ExtensionFailure, type ReportFailure, Supervisor } from "./load/supervise.ts";
import { ExtensionProviders } from "./providers/providers.ts";
import { SessionLink } from "./session-link.ts";
import { lateUi } from "./ui/late-ui.ts";
import { uiWithoutUser, uiWithUser } from "./ui/no-user.ts";

export type HostParts = ExtensionPlace & {
  gantryHome: string;
  env: Record<string, string | undefined>;
  folders: readonly string[];
  readSettings(): Promise<ExtensionSettings>;
  /** A program runs the agent inside its process: errors in its code are not those of extensions. */
  isEmbedded?: boolean;
  /** Absent: no person can be asked, and dialogs have default answers. */
  ui?: UserInterface | undefined;
  /** Shows what a command returned. Default: a notice. */
  show?: ((text: string) => void) | undefined;
  /** Default: a notice of the session. */
  onFailure?: ReportFailure | undefined;
};

/** What a main session gives to its extensions. */
export type MainSession = {
  session: AgentSession;
  own: SessionHandle;
  secrets?: Secrets | undefined;
  isResumed: boolean;
};

/**
 * The extensions of one process: loads them, and gives their tools, commands, hooks and providers to its sessions. No
 * method throws or rejects because of an extension.
 */
export class ExtensionHost {
  /** What went wrong before there was a session. */
  readonly problems: string[] = [];
  readonly providers: ExtensionProviders;
  readonly #parts: HostParts;
  readonly #supervisor: Supervisor;
  readonly #set: ExtensionSet;
  readonly #link: SessionLink;
  readonly #modules: ModuleHooks;
  readonly #commands: SlashCommands;
  readonly #ui: ReturnType<typeof lateUi>;
  readonly #tools = new WeakMap<ExtensionTool, Tool>();
  readonly #unwatch: () => void;
  #runHook: RunHook | undefined;
  #started: Promise<unknown> = Promise.resolve();
  #events: Promise<unknown> = Promise.resolve();

  private constructor(parts: HostParts) {
    this.#parts = parts;
    const extensions = () => this.#set.all;
    this.#supervisor = new Supervisor(
      (failure) => this.#report(failure),
      () => this.providers.update(),
    );
    const supervisor = this.#supervisor;
    this.#link = new SessionLink();
    const without = uiWithoutUser((text, level) => this.#link.notice(text, level));
    this.#ui = lateUi(parts.ui ? uiWithUser(parts.ui) : without, without);
    const store = openTrustStore(parts.gantryHome, parts.agentDir);
    this.providers = new ExtensionProviders({ extensions, supervisor, ui: this.#ui });
    this.#set = new ExtensionSet({
      place: parts,
      readSettings: () => parts.readSettings(),
      isTrusted: (item) => store.covers(realPath(parts.cwd), [item]),
      supervisor,
      api: { cwd: parts.cwd, ui: this.#ui, session: this.#link.api, onProviders: () => this.#onProviders() },
    });
    this.#modules = new ModuleHooks({ extensions, supervisor });
    this.#commands = new SlashCommands({
      extensions,
      supervisor,
      env: parts.env,
      folders: parts.folders,
      context: (extension) => ({ ui: supervisor.uiFor(extension, this.#ui), session: this.#link.api }),
      session: () => this.#link.session,
      useModel: (selector) => this.#link.useModelOnce(selector),
      show: (text) => (parts.show ?? ((shown) => this.#link.notice(shown, "info")))(text),
    });
    this.#unwatch = supervisor.watchProcess(extensions, parts.isEmbedded);
  }

  static async open(parts: HostParts): Promise<ExtensionHost> {
    const host = new ExtensionHost(parts);
    await host.#set.refresh();
    host.#noteUntrusted();
    return host;
  }

  list(): ExtensionRow[] {
    return this.#set.all.map(describeExtension);
  }

  commands(): CommandRow[] {
    return this.#commands.list();
  }

  /** The tools of all active extensions; of two with the same name the first. */
  tools(): Tool[] {
    const byName = new Map<string, Tool>();
    for (const extension of this.#set.all.filter(({ state }) => state === "active")) {
      for (const tool of extension.tools.values()) {
        const onNonsense = (error: string) => this.#supervisor.fail(extension, tool.name, error);
        const made =
          this.#tools.get(tool) ?? extensionTool(tool, { ui: this.#supervisor.uiFor(extension, this.#ui), onNonsense });
        this.#tools.set(tool, made);
        if (!byName.has(tool.name)) byName.set(tool.name, made);
      }
    }
    return [...byName.values()];
  }

  /** The lines with which an extension shows a result in the terminal. */
  render(toolName: string, output: ToolOutput): string[] | undefined {
    for (const extension of this.#set.all.filter(({ state }) => state === "active")) {
      const tool = extension.tools.get(toolName);
      if (!tool) continue;
      if (!tool.render) return undefined;
      try {
        const lines: unknown = tool.render(copyOf(output));
        if (Array.isArray(lines) && lines.every((line) => typeof line === "string")) return lines;
        this.#supervisor.fail(extension, `render of ${toolName}`, "It returned no list of lines.");
      } catch (error) {
        this.#supervisor.fail(extension, `render of ${toolName}`, (error as Error).message);
      }
      return undefined;
    }
    return undefined;
  }

  wrapStream(stream: StreamModel): StreamModel {
    return this.providers.wrap(stream);
  }

  attachRegistry(registry: FullModelRegistry, { addModels = true } = {}): void {
    this.#link.registry = registry;
    if (addModels) this.providers.attach(registry);
  }

  /** The hooks of one session. Only the main session has commands, prompts and stops. */
  hooks(options: { isMain: boolean; secrets?: Secrets | undefined; runHook(): RunHook | undefined }): Hooks {
    const commands = this.#commandHooks(options.runHook);
    if (options.isMain) this.#runHook = (...args) => options.runHook()?.(...args) ?? noHook();
    return createSessionHooks({
      modules: this.#modules,
      commands,
      secrets: options.secrets,
      ...(options.isMain
        ? { main: { take: (text) => this.#take(text), addContext: (text) => this.#link.addContext(text) } }
        : {}),
    });
  }

  /** Connects the main session. Its first message waits for the handlers of its start. */
  attach({ session, own, secrets, isResumed }: MainSession): void {
    this.#link.attach(session, own, secrets);
    const commands = this.#commandHooks(() => this.#runHook);
    const begin = async (reason: "start" | "resume" | "switch") => {
      const source = { start: "startup", resume: "resume", switch: "clear" }[reason];
      const context = [...(await this.#modules.sessionStart(reason)), ...(await commands.sessionStart(source))];
      for (const text of context) this.#link.addContext(text);
    };
    // A host of the session first shows that it has started: an RPC client expects that frame before all others.
    this.#started = nextTurn().then(() => {
      this.#ui.open();
      return begin(isResumed ? "resume" : "start");
    });
    let { id } = session;
    session.subscribe((event) => {
      this.#link.onEvent(event);
      if (session.id !== id) {
        id = session.id;
        this.#started = this.#started.then(() => begin("switch"));
      }
      this.#publish(event, secrets);
    });
  }

  /** Loads changed extensions; with `force` all of them. Returns the names of those that were loaded or removed. */
  async reload(force: boolean): Promise<string[]> {
    const changed = await this.#set.refresh(force);
    if (changed.length > 0) {
      this.providers.update();
      this.#noteUntrusted();
    }
    return changed;
  }

  /** Ends the session of the extensions, then unloads them. */
  async dispose(): Promise<void> {
    await this.#started;
    await this.#events;
    await this.#modules.notify("session_end", {});
    await this.#commandHooks(() => this.#runHook).sessionEnd();
    await this.close();
  }

  async close(): Promise<void> {
    await this.#set.dispose();
    this.#unwatch();
  }

  async #take(text: string) {
    await this.#started;
    if (!this.#link.isBusy) await this.reload(false);
    return await this.#commands.take(text);
  }

  #commandHooks(runHook: () => RunHook | undefined): CommandHooks {
    return new CommandHooks({
      extensions: () => this.#set.all,
      supervisor: this.#supervisor,
      run: (...args) => runHook()?.(...args) ?? noHook(),
      isUnchanged: (extension) => this.#set.isUnchanged(extension),
      cwd: this.#parts.cwd,
      common: () => this.#link.describe(),
    });
  }

  /** Pieces of streams are left out: there are many, and a secret could lie across two of them. */
  #publish(event: AgentEvent, secrets: Secrets | undefined): void {
    if (/_update$/.test(event.type) && event.type !== "queue_update") return;
    if (!this.#modules.has("event")) return;
    const shown = (secrets?.seal(event) ?? event) as object;
    this.#events = this.#events.then(() => this.#modules.notify("event", shown));
  }

  #onProviders(): void {
    // During the load the registration is not complete, and `attach` or `reload` follows.
    if (this.#set?.all.length) this.providers.update();
  }

  #report(failure: ExtensionFailure): void {
    if (this.#parts.onFailure) return this.#parts.onFailure(failure);
    const text = failureText(failure);
    if (!this.#link.notice(text, "warning")) this.problems.push(text);
  }

  /** Once for each list: what a project offers and the user has not trusted. */
  #noteUntrusted(): void {
    const names = this.#set.all.filter(({ state }) => state === "untrusted").map(({ found }) => found.name);
    if (names.length === 0 || names.join() === this.#noted) return;
    this.#noted = names.join();
    const what = `Not used, because you have not trusted this content of the folder: ${names.join(", ")}.`;
    const text = `${what} To allow it, run: ${trustCommand(realPath(this.#parts.cwd))}`;
    if (!this.#link.notice(text, "warning")) this.problems.push(text);
  }
  #noted = "";
}

export function failureText({ name, event, error }: ExtensionFailure): string {
  return `The extension ${name} failed (${event}): ${error}`;
}

async function noHook(): Promise<{ skipped: string }> {
  return { skipped: "Hook commands cannot run in this session: it has no shell." };
}
