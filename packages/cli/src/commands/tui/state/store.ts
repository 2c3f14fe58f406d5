import type { Client } from "@gantry/client";
import {
  type Envelope,
  type InputRequest,
  orderSessions,
  type Session,
  type SessionGroup,
  sessionGroups,
} from "@gantry/protocol";

export type OrderedSession = ReturnType<typeof orderSessions<Session>>[number];

/** A request that waits for a person, with its session. */
export type PendingInput = { input: InputRequest; session: Session };

const REFRESH_MS = 120;
const RETRY_MS = 1000;

/**
 * The sessions of the daemon, updated by the events of all sessions. An event only marks its session; the session is
 * then read from the daemon, at most once in 120 ms. After a lost connection everything is read again.
 */
export class TuiStore {
  readonly sessions = new Map<string, Session>();
  /** Why there is no connection. */
  problem: string | undefined;
  private readonly client: Client;
  private readonly onChange: () => void;
  private readonly leave = new AbortController();
  private readonly dirty = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(client: Client, onChange: () => void) {
    this.client = client;
    this.onChange = onChange;
  }

  /** Loads all sessions and starts to follow. Throws if the daemon cannot be reached. */
  async open(): Promise<void> {
    const cursor = await this.client.cursor();
    await this.loadAll();
    void this.follow(cursor);
  }

  close(): void {
    this.leave.abort();
    clearTimeout(this.timer);
  }

  get ordered(): OrderedSession[] {
    return orderSessions([...this.sessions.values()]);
  }

  /** The number of sessions in each group. */
  get counts(): Record<SessionGroup, number> {
    const counts = Object.fromEntries(sessionGroups.map((group) => [group, 0])) as Record<SessionGroup, number>;
    for (const { status } of this.ordered) counts[status.group] += 1;
    return counts;
  }

  /** Pending requests, the oldest first. */
  get inputs(): PendingInput[] {
    const all = [...this.sessions.values()].flatMap((session) => session.inputs.map((input) => ({ input, session })));
    return all.sort((a, b) => (a.input.requestedAt ?? "").localeCompare(b.input.requestedAt ?? ""));
  }

  /** Reads a session again, for example after a change that this client made. */
  mark(id: string): void {
    this.dirty.add(id);
    this.timer ??= setTimeout(() => void this.refresh(), REFRESH_MS);
  }

  private async loadAll(): Promise<void> {
    const found = new Map<string, Session>();
    let cursor: string | undefined;
    do {
      const page = await this.client.sessions.list({ limit: 200, cursor });
      for (const session of page.sessions) found.set(session.id, session);
      cursor = page.nextCursor ?? undefined;
    } while (cursor && found.size < 2000);
    this.sessions.clear();
    for (const [id, session] of found) this.sessions.set(id, session);
    this.problem = undefined;
    this.onChange();
  }

  private async refresh(): Promise<void> {
    const ids = [...this.dirty];
    this.dirty.clear();
    await Promise.all(ids.map((id) => this.read(id)));
    this.timer = undefined;
    if (this.dirty.size > 0) this.timer = setTimeout(() => void this.refresh(), REFRESH_MS);
    this.onChange();
  }

  private async read(id: string): Promise<void> {
    try {
      const session = await this.client.sessions.get(id);
      if (session.archived) this.sessions.delete(id);
      else this.sessions.set(id, session);
    } catch (error) {
      if ((error as { status?: number }).status === 404) this.sessions.delete(id);
    }
  }

  /** Follows until the store is closed. The client reconnects; this loop only ends for errors that it cannot retry. */
  private async follow(after: string): Promise<void> {
    const { signal } = this.leave;
    let cursor = after;
    while (!signal.aborted) {
      try {
        const onReconnect = ({ error, attempt }: { error?: Error; attempt: number }) => {
          if (error && attempt > 1) this.lose("The daemon does not answer; reconnecting.");
        };
        for await (const frame of this.client.followAll({ after: cursor, signal, onReconnect })) {
          if (this.problem) await this.loadAll();
          if ("cursor" in frame) cursor = frame.cursor;
          if ("event" in frame) this.see(frame.event);
          if ("live" in frame && frame.live.type === "removed") this.remove(frame.live.session);
        }
      } catch (error) {
        if (!signal.aborted) this.lose((error as Error).message);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  private lose(problem: string): void {
    this.problem = problem;
    this.onChange();
  }

  private see(event: Envelope): void {
    this.mark(event.session);
  }

  private remove(id: string): void {
    this.sessions.delete(id);
    this.onChange();
  }
}
