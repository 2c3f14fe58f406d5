import { createHash } from "node:crypto";
import {
  type CreateSession,
  diffControls,
  GantryError,
  type Handoff,
  type HandoffBody,
  type Identity,
  type IdentityRow,
  type PatchSession,
  type PutIdentity,
  type SendMessage,
  type Sent,
  type Session,
  type SessionView,
} from "@gantry/protocol";
import type { Records, Store } from "../log/port.ts";
import type { PinnedText } from "../session/connection/pinned-context.ts";
import type { IdentityService } from "./handlers.ts";
import { IdentityFolders, type StoredIdentity } from "./identity-folder.ts";
import { identityText, memoryParts } from "./identity-text.ts";

/** The sessions as identities use them. */
export type IdentitySessions = {
  create(body: CreateSession, origin: string, more: { identity: string }): Promise<{ session: Session }>;
  get(id: string): Session;
  patch(id: string, body: PatchSession): Promise<{ session: Session }>;
  send(id: string, body: SendMessage): Sent;
  handOff(id: string, body: HandoffBody): Promise<{ handoff: Handoff }>;
};

export type IdentitiesDeps = {
  home: string;
  store: Store;
  sessions: IdentitySessions;
  /** Whether an agent with this id exists. */
  isAgent: (id: string) => boolean;
};

type Settings = Pick<StoredIdentity, "agent" | "model" | "mode" | "effort" | "controls" | "title">;

/**
 * Named, persistent sessions. The definition of an identity is in files that people and its agent edit. Its session is
 * identified by that session's log.
 */
export class Identities implements IdentityService {
  readonly #deps: IdentitiesDeps;
  readonly #folders: IdentityFolders;
  /** The settings last applied to the session, so that changes by a person in the session persist. */
  readonly #given: Records<Settings>;
  readonly #under = new Map<string, Promise<unknown>>();

  constructor(deps: IdentitiesDeps) {
    this.#deps = deps;
    this.#folders = new IdentityFolders(deps.home);
    this.#given = deps.store.records("identity");
  }

  list() {
    const { identities, broken } = this.#folders.list();
    return { identities: identities.map((one) => this.#row(one)), broken };
  }

  get(name: string): Identity {
    return this.#present(this.#require(name));
  }

  put(name: string, body: PutIdentity): Identity {
    if (!this.#deps.isAgent(body.agent)) {
      throw new GantryError("no_such_agent", `There is no agent ${body.agent}. ${name} was not changed.`, {
        remedy: "`gantry agents` lists them.",
      });
    }
    this.#folders.put(name, body);
    return this.get(name);
  }

  async delete(name: string, purge: boolean): ReturnType<IdentityService["delete"]> {
    if (!this.#folders.names().includes(name)) throw noIdentityError(name);
    return this.#runSerialised(name, async () => {
      const session = this.#session(name);
      if (session) await this.#deps.sessions.patch(session.id, { archived: true });
      this.#folders.remove(name, purge);
      this.#given.delete(name);
      const folder = purge ? {} : { kept: this.#folders.folder(name) }; // prose-ignore: fixed API field
      return { ...(session ? { archived: session.id } : {}), ...folder };
    });
  }

  send(name: string, body: SendMessage): Promise<Sent & { session: Session }> {
    return this.#runSerialised(name, async () => {
      const identity = this.#require(name);
      const sessions = this.#deps.sessions;
      const { id } = this.#session(name) ?? (await this.#begin(identity));
      await this.#takeUp(id, identity);
      const sent = sessions.send(id, body);
      return { ...sent, session: sessions.get(id) };
    });
  }

  /** The pinned context of an identity's session; `undefined` for other sessions and while its files are invalid. */
  pinnedText({ identity: name }: SessionView, writable: boolean): PinnedText | undefined {
    if (name === undefined) return undefined;
    try {
      const identity = this.#folders.get(name);
      if (!identity) return undefined;
      const text = identityText(identity, { memoryFolder: this.#folders.memoryFolder(name), writable });
      return { text, hash: createHash("sha256").update(text).digest("hex").slice(0, 16) };
    } catch {
      // The next message to the identity is refused with the mistakes; a running turn continues.
      return undefined;
    }
  }

  /** Additional folders that the agent of a session may write in. */
  folders({ identity: name }: SessionView): string[] {
    return name !== undefined && this.#folders.names().includes(name) ? [this.#folders.memoryFolder(name)] : [];
  }

  async #begin(identity: StoredIdentity): Promise<Session> {
    const { name, title = name, agent, model, mode, effort, controls } = identity;
    const cwd = identity.cwd ?? this.#folders.workFolder(name);
    const body = { agent, model, mode, effort, controls, cwd, title };
    const { session } = await this.#deps.sessions.create(body, "identity", { identity: name });
    this.#given.put(name, settingsOf(identity));
    return session;
  }

  /** Applies changes of the file since they were last applied. */
  async #takeUp(id: string, identity: StoredIdentity): Promise<void> {
    const wanted = settingsOf(identity);
    const before = this.#given.get(identity.name);
    const session = this.#deps.sessions.get(id);
    const { agent, ...changed } = changedSettings(before ?? {}, wanted);
    const controls = diffControls(before?.controls, wanted.controls);
    const patch = { ...changed, ...(Object.keys(controls).length > 0 ? { controls } : {}) };
    // An identity may switch agents, but not during a turn: a later message retries.
    if (agent !== undefined && agent !== session.agent && isBusy(session)) return;
    if (agent !== undefined && agent !== session.agent) await this.#handOff(id, wanted);
    else if (Object.keys(patch).length > 0) await this.#deps.sessions.patch(id, patch);
    this.#given.put(identity.name, wanted);
  }

  async #handOff(id: string, { title: _, ...settings }: Settings): Promise<void> {
    const { agent } = settings;
    const { handoff } = await this.#deps.sessions.handOff(id, settings);
    if (handoff.state !== "failed") return;
    throw new GantryError("unsupported", `The session could not be handed to ${agent}: ${handoff.reason}.`, {
      remedy: "The message was not sent. Choose another agent in identity.yml, or the previous one.",
    });
  }

  #session(name: string): Session | undefined {
    const { sessions } = this.#deps.store.sessions.list({ identity: name, limit: 20 });
    const found = sessions.find(({ state }) => state !== "ended");
    return found && this.#deps.sessions.get(found.id);
  }

  #require(name: string): StoredIdentity {
    const identity = this.#folders.get(name);
    if (!identity) throw noIdentityError(name);
    return identity;
  }

  #row(identity: StoredIdentity): IdentityRow {
    const { persona: _, ...row } = this.#present(identity);
    return { ...row, memory: row.memory.map(({ text: __, ...file }) => file) };
  }

  #present(identity: StoredIdentity): Identity {
    const parts = memoryParts(identity.memory);
    const memory = identity.memory.map((file, index) => ({ ...file, whole: parts[index]?.whole ?? false }));
    const session = this.#session(identity.name);
    return { ...identity, memory, ...(session ? { session: session.id, state: session.state } : {}) };
  }

  /** Serialised, because two concurrent first messages must not start two sessions. */
  #runSerialised<T>(name: string, action: () => Promise<T>): Promise<T> {
    const before = this.#under.get(name) ?? Promise.resolve();
    const run = before.then(action, action);
    const settled = run
      .catch(() => undefined)
      .finally(() => this.#under.get(name) === settled && this.#under.delete(name));
    this.#under.set(name, settled);
    return run;
  }
}

function isBusy({ turn, inputs, queue }: Session): boolean {
  return turn !== undefined || inputs.length > 0 || queue.length > 0;
}

function settingsOf({ agent, model, mode, effort, controls, title, name }: StoredIdentity): Settings {
  return { agent, model, mode, effort, ...(controls ? { controls } : {}), title: title ?? name };
}

function changedSettings(before: Partial<Settings>, { controls: _, ...after }: Settings): Partial<Settings> {
  const entries = Object.entries(after).filter(
    ([key, value]) => value !== undefined && before[key as keyof Settings] !== value,
  );
  return Object.fromEntries(entries);
}

function noIdentityError(name: string): GantryError {
  return new GantryError("no_such_identity", `There is no identity ${name}.`, {
    remedy: "`gantry identity ls` lists them.",
  });
}
