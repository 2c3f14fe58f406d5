import type { FullModelRegistry } from "@gantry/models";
import type { AgentEvent } from "../contract/events.ts";
import type { Secrets } from "../contract/ports.ts";
import { type AgentSession, SessionError } from "../contract/session.ts";
import { toModelMessages } from "../loop/to-model.ts";
import type { SessionHandle } from "../session/tools/equipment.ts";
import type { ExtensionSession } from "./api/types.ts";

/** The main session as extensions reach it. Before `attach` there is none. */
export class SessionLink {
  registry: FullModelRegistry | undefined;
  #session: AgentSession | undefined;
  #own: SessionHandle | undefined;
  #secrets: Secrets | undefined;
  /** The model to return to when the run ends. */
  #modelBefore: { provider: string; id: string } | undefined;

  get session(): AgentSession | undefined {
    return this.#session;
  }

  get isBusy(): boolean {
    return this.#session?.state().isStreaming === true;
  }

  attach(session: AgentSession, own: SessionHandle, secrets: Secrets | undefined): void {
    this.#session = session;
    this.#own = own;
    this.#secrets = secrets;
  }

  /** Returns whether there is a session that can show it. */
  notice(text: string, level: "info" | "warning" | "error" = "info"): boolean {
    this.#own?.publish({ type: "notice", level, message: text, source: "extension" });
    return this.#own !== undefined;
  }

  addContext(text: string): void {
    this.#own?.addContext(text, "extension");
  }

  /** The fields that Claude Code gives to every hook. */
  describe(): Record<string, unknown> {
    const modes = { plan: "plan", ask: "default", "auto-edit": "acceptEdits", "full-auto": "bypassPermissions" };
    const state = this.#session?.state();
    return {
      session_id: this.#session?.id ?? "",
      transcript_path: state?.sessionFile ?? "",
      permission_mode: state ? modes[state.mode] : "default",
    };
  }

  async useModelOnce(selector: string): Promise<void> {
    const { model } = this.#session?.state() ?? {};
    await this.api.setModel(selector);
    if (model) this.#modelBefore ??= { provider: model.provider, id: model.id };
  }

  onEvent(event: AgentEvent): void {
    const before = this.#modelBefore;
    if (event.type !== "agent_settled" || !before) return;
    this.#modelBefore = undefined;
    void this.#session?.setModel(before.provider, before.id).catch(() => undefined);
  }

  readonly api: ExtensionSession = createApi(this);

  static read(link: SessionLink) {
    return { own: link.#own, secrets: link.#secrets };
  }
}

function createApi(link: SessionLink): ExtensionSession {
  const requireSession = () => {
    if (!link.session) throw new SessionError("There is no session yet. Wait for session_start.");
    return link.session;
  };
  return {
    get id() {
      return link.session?.id;
    },
    get mode() {
      return link.session?.state().mode;
    },
    get model() {
      const model = link.session?.state().model;
      return model && `${model.provider}/${model.id}`;
    },
    messages() {
      const messages = toModelMessages(link.session?.messages() ?? []);
      return (SessionLink.read(link).secrets?.seal(messages) ?? messages) as typeof messages;
    },
    async send(text, { deliverAs = "steer" } = {}) {
      await requireSession().prompt(text, { streamingBehavior: deliverAs });
    },
    addContext: (text) => link.addContext(text),
    async setModel(selector) {
      const found = link.registry?.resolve(selector);
      if (!found) throw new SessionError(`No model matches ${selector}.`);
      await requireSession().setModel(found.model.provider, found.model.id);
    },
  };
}
