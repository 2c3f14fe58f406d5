import type { OpenTerminal, Terminal, TerminalExit, TerminalSize } from "@gantry/protocol";

/** What a reader of a terminal needs; it stays good after the terminal is forgotten. */
export interface TerminalFeed {
  /** Set once the program has ended; nothing is printed after that. */
  readonly exit: TerminalExit | undefined;
  /** At most `most` bytes from `from` on, or from the first byte of the scrollback. */
  read(from: number, most: number): { offset: number; bytes: Buffer };
  /** Calls `listener` after output and after the end, until the returned function is called. */
  watch(listener: () => void): () => void;
}

/** Terminals of the daemon; the server is a thin skin over it. Its methods throw `GantryError`. */
export interface TerminalService {
  open(body: OpenTerminal): Promise<Terminal>;
  list(): Terminal[];
  get(id: string): Terminal;
  feed(id: string): TerminalFeed;
  /** A one-time ticket for the stream of this terminal. */
  ticket(id: string): { ticket: string; expiresAt: string };
  /** Spends a ticket. Throws `bad_ticket`. */
  redeem(id: string, ticket: string): void;
  /** Drops every unused ticket. */
  revokeTickets(): void;
  type(id: string, text: string): Terminal;
  resize(id: string, size: TerminalSize): Terminal;
  close(id: string): Promise<void>;
}
