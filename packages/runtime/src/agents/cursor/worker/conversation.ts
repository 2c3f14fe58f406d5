import { describeError, readLines, writeLine } from "./lines.ts";
import { CLOUD, defaultModel, type Run, type Sdk, type SdkAgent, sdkVersion } from "./sdk.ts";

/** The options of one worker, from the file that `launch` of the channel writes. */
export type WorkerOptions = {
  mode: "plan" | "agent";
  model?: string;
  resume?: string;
  servers?: Record<string, unknown>;
  folders?: readonly string[];
  settings: readonly string[];
  scratch: string;
};

type Command = Record<string, unknown> & { id?: string; type?: string };

/** One conversation of the SDK: opens it, runs prompts one at a time, and reports everything as JSON lines. */
export class Conversation {
  readonly #sdk: Sdk;
  readonly #folder: string;
  readonly #options: WorkerOptions;
  #model: string | undefined;
  #agent!: SdkAgent;
  #run: Run | undefined;
  /** A prompt was received, and its run is not known yet. */
  #starting = false;
  #cancelled = false;

  constructor(sdk: Sdk, folder: string, options: WorkerOptions) {
    this.#sdk = sdk;
    this.#folder = folder;
    this.#options = options;
    this.#model = options.model;
  }

  /** Resolves when the conversation is open and commands are read. Writes the reason and rejects if that fails. */
  async open(): Promise<void> {
    const { resume } = this.#options;
    try {
      const cloud = resume?.startsWith(CLOUD) === true;
      const models = this.#model || cloud ? [] : await this.#sdk.Cursor.models.list();
      this.#model ??= cloud ? undefined : defaultModel(models);
      const options = cloud ? {} : this.#localOptions();
      this.#agent = await (resume ? this.#sdk.Agent.resume(resume, options) : this.#sdk.Agent.create(options));
      const state = { sdk: sdkVersion(this.#folder), model: this.#model, mode: this.#options.mode, cloud };
      writeLine({ type: "ready", agent_id: this.#agent.agentId, ...state });
    } catch (error) {
      writeLine({ type: "failed", resume, error: describeError(error) });
      throw error;
    }
    readLines((command) => this.#handle(command as Command));
  }

  #localOptions(): Record<string, unknown> {
    const { folders, settings, servers, mode } = this.#options;
    const local = { cwd: process.cwd(), settingSources: settings, ...(folders?.length ? { dirs: folders } : {}) };
    const model = this.#model ? { model: { id: this.#model } } : {};
    return { ...model, mode, local, ...(servers ? { mcpServers: servers } : {}) };
  }

  #handle(command: Command): void {
    const { id, type } = command;
    switch (type) {
      case "prompt":
        if (this.#starting || this.#run) return respond(id, "A run is active.");
        respond(id);
        return void this.#perform(() => this.#send(command));
      case "follow":
        if (this.#starting || this.#run) return respond(id, "A run is active.");
        respond(id);
        return void this.#perform(() => this.#latestRun());
      case "cancel":
        respond(id);
        return this.#cancel();
      case "set_model":
        this.#model = String(command.model);
        return respond(id);
      case "ping":
        return respond(id);
      case "close":
        this.#agent.close();
        respond(id);
        return void setImmediate(() => process.exit(0));
      default:
        return respond(id, `Unknown command: ${type}`);
    }
  }

  #send({ text, images }: Command): Promise<Run> {
    const isCloud = this.#agent.agentId.startsWith(CLOUD);
    const model = this.#model ? { model: { id: this.#model } } : {};
    // A run that an earlier worker left unfinished would block the conversation.
    const local = isCloud ? {} : { local: { force: true }, mode: this.#options.mode };
    const message = { text: String(text), ...(Array.isArray(images) && images.length > 0 ? { images } : {}) };
    return this.#agent.send(message, { ...model, ...local, onDelta: publishShellOutput });
  }

  /** The newest run of a cloud agent, also one that another program started. */
  async #latestRun(): Promise<Run> {
    const { items } = await this.#sdk.Agent.listRuns(this.#agent.agentId, { runtime: "cloud", limit: 1 });
    const [run] = items;
    if (!run) throw new Error("This cloud agent has no run yet.");
    return run;
  }

  /** Reports a run from its start to its result. Every failure is a result, so each prompt has one. */
  async #perform(start: () => Promise<Run>): Promise<void> {
    this.#starting = true;
    this.#cancelled = false;
    try {
      this.#run = await start();
      this.#starting = false;
      if (this.#cancelled) this.#cancel();
      for await (const message of this.#run.stream()) writeLine({ dir: "message", msg: message });
      writeLine({ dir: "result", result: await this.#run.wait() });
    } catch (error) {
      const status = this.#cancelled ? "cancelled" : "error";
      writeLine({ dir: "result", result: { status, error: describeError(error) } });
    } finally {
      this.#starting = false;
      this.#run = undefined;
    }
  }

  #cancel(): void {
    this.#cancelled = true;
    this.#run?.cancel().catch((error) => writeLine({ type: "warning", error: describeError(error) }));
  }
}

function respond(id: unknown, error?: string): void {
  writeLine({ type: "response", id, ...(error ? { error } : {}) });
}

/** The stream of a run has a command's output only at its end. */
function publishShellOutput({ update }: { update: { type?: string } }): void {
  if (update.type === "shell-output-delta") writeLine({ dir: "delta", update });
}
