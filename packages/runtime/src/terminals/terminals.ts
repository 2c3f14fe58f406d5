import { homedir, userInfo } from "node:os";
import { GantryError, type Offer, type OpenTerminal, type TerminalSize } from "@gantry/protocol";
import { MARKER } from "../process/identity.ts";
import { type StopTarget, stop } from "../process/stop.ts";
import { Tickets } from "../server/access/tickets.ts";
import type { TerminalService } from "./port.ts";
import { openPty } from "./pty.ts";
import { Terminal } from "./terminal.ts";

export type TerminalsDeps = {
  /** Environment of agents, which terminals share. */
  env: Record<string, string>;
  id: () => string;
  now: () => string;
  /** Folder and own environment of a session. Throws `no_such_session`. */
  session: (id: string) => { cwd: string; env?: Record<string, string> };
  /** Variables for a folder: the ports of its lane. */
  surroundings?: (cwd: string) => Record<string, string>;
  /** The resolved folder. Throws `invalid`. */
  folder: (cwd: string) => string;
  /** The setup commands of an agent and their additional environment. Throws `no_such_agent`. */
  offers: (agent: string) => Promise<{ offers: Offer[]; env: Record<string, string> }>;
  /** A setup command has ended, so the agent's state may have changed. */
  onOffered: (agent: string) => void;
  /** Stores the running processes, so that the next daemon ends them after a crash. */
  remember: (running: StopTarget[]) => void;
};

/** Largest number of running terminals. */
const MOST_RUNNING = 16;
/** Largest number of ended terminals that stay listed. */
const MOST_ENDED = 16;

const TICKET_MS = 30_000;

type Plan = { command: string[]; cwd: string; env: Record<string, string>; session?: string; offer?: Offer };

/** All terminals of the daemon. They end with it. */
export class Terminals implements TerminalService {
  readonly #deps: TerminalsDeps;
  readonly #terminals = new Map<string, Terminal>();
  readonly #tickets = new Tickets({ lifetimeMs: TICKET_MS });
  #stopping = false;

  constructor(deps: TerminalsDeps) {
    this.#deps = deps;
  }

  async open(body: OpenTerminal) {
    const plan = await this.#plan(body);
    if (this.#listRunning().length >= MOST_RUNNING) {
      throw new GantryError("too_many_terminals", `${MOST_RUNNING} terminals are open already.`, {
        remedy: "Close one of them: DELETE /v1/terminals/<id>.",
      });
    }
    const { cols = 80, rows = 24 } = body;
    const id = this.#deps.id();
    const { command, cwd, session, offer } = plan;
    const env = { ...plan.env, TERM: "xterm-256color", COLORTERM: "truecolor", [MARKER]: id };
    const pty = openPty({ command, cwd, env, cols, rows });
    const about = { ...(session ? { session } : {}), ...(offer ? { offer } : {}) };
    const terminal = new Terminal({ id, command, cwd, ...about, cols, rows, createdAt: this.#deps.now() }, pty);
    this.#terminals.set(id, terminal);
    this.#remember();
    void terminal.ended.then(() => {
      this.#remember();
      this.#dropOldest();
      if (offer && !this.#stopping) this.#deps.onOffered(offer.agent);
    });
    return terminal.show();
  }

  list() {
    return [...this.#terminals.values()].map((terminal) => terminal.show());
  }

  get(id: string) {
    return this.feed(id).show();
  }

  feed(id: string): Terminal {
    const terminal = this.#terminals.get(id);
    if (terminal) return terminal;
    throw new GantryError("no_such_terminal", `There is no terminal ${id}.`);
  }

  ticket(id: string) {
    this.feed(id);
    return this.#tickets.issue(id);
  }

  redeem(id: string, ticket: string): void {
    if (this.#tickets.redeem(ticket, id)) return;
    throw new GantryError("bad_ticket", "This ticket has been used, has expired or is not for this terminal.", {
      remedy: "Request another: POST /v1/terminals/<id>/tickets.",
    });
  }

  revokeTickets(): void {
    this.#tickets.revokeAll();
  }

  type(id: string, text: string) {
    const terminal = this.feed(id);
    terminal.type(text);
    return terminal.show();
  }

  resize(id: string, size: TerminalSize) {
    const terminal = this.feed(id);
    terminal.resize(size);
    return terminal.show();
  }

  async close(id: string): Promise<void> {
    const terminal = this.feed(id);
    await terminal.close();
    this.#terminals.delete(id);
  }

  /** Ends all of them. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#terminals.keys()].map((id) => this.close(id)));
  }

  async #plan({ session, cwd, offer, command }: OpenTerminal): Promise<Plan> {
    const { folder, surroundings } = this.#deps;
    const place = session === undefined ? undefined : this.#deps.session(session);
    const common = {
      cwd: folder(cwd ?? place?.cwd ?? this.#deps.env.HOME ?? homedir()),
      ...(session === undefined ? {} : { session }),
    };
    const env = { ...this.#deps.env, ...surroundings?.(common.cwd) };
    if (!offer) return { ...common, command: command ?? loginShell(env), env: { ...env, ...place?.env } };
    const { offers, env: more } = await this.#deps.offers(offer.agent);
    const found = offers.find(({ kind }) => kind === offer.kind);
    if (!found) {
      throw new GantryError("unsupported", `There is no command for the ${offer.kind} of ${offer.agent}.`, {
        remedy: "`gantry doctor` shows what to do instead.",
      });
    }
    return { ...common, command: found.command, offer: found, env: { ...env, ...more, ...place?.env } };
  }

  #listRunning(): Terminal[] {
    return [...this.#terminals.values()].filter(({ exit }) => exit === undefined);
  }

  #remember(): void {
    this.#deps.remember(this.#listRunning().map(({ target }) => target));
  }

  #dropOldest(): void {
    const ended = [...this.#terminals].filter(([, { exit }]) => exit !== undefined);
    for (const [id] of ended.slice(0, -MOST_ENDED)) this.#terminals.delete(id);
  }
}

/** Ends the process groups of terminals. */
export async function endTerminals(targets: readonly StopTarget[]): Promise<void> {
  await Promise.all(targets.map((target) => stop(target, { graceMs: 500 })));
}

function loginShell(env: Record<string, string>): string[] {
  return [env.SHELL || accountShell() || "/bin/sh", "-l"];
}

function accountShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    return undefined;
  }
}
