import { z } from "zod";
import { Offer } from "../agents/offer.ts";
import { AgentId, SessionId, TerminalId } from "../ids/schema.ts";

const size = (most: number) => z.number().int().min(1).max(most);

const columns = size(1000);

const rows = size(1000);

/** The exit status of a program. */
export const TerminalExit = z.object({ code: z.number().int().nullable(), signal: z.string().nullable() });

export type TerminalExit = z.infer<typeof TerminalExit>;

/** A terminal on the daemon's machine. It ends with the daemon. */
export const Terminal = z.object({
  id: TerminalId,
  /** The command line as an argument vector. */
  command: z.array(z.string()),
  cwd: z.string(),
  session: SessionId.optional(),
  /** The setup command that it runs. */
  offer: Offer.optional(),
  state: z.enum(["running", "exited"]),
  exit: TerminalExit.optional(),
  cols: z.number().int(),
  rows: z.number().int(),
  /** The offset of the first retained byte of output. */
  from: z.number().int(),
  /** The offset after the last byte of output. */
  to: z.number().int(),
  createdAt: z.iso.datetime(),
});

export type Terminal = z.infer<typeof Terminal>;

export const OpenTerminal = z
  .strictObject({
    /** Uses the folder and environment of this session. */
    session: SessionId.optional(),
    cwd: z.string().max(4096).optional(),
    /** Runs a setup command of an agent; the agent is probed again when it ends. */
    offer: z.strictObject({ agent: AgentId, kind: Offer.shape.kind }).optional(),
    /** The program to run. Default without an offer: the user's login shell. */
    command: z.array(z.string().max(32_768)).min(1).max(1000).optional(),
    cols: columns.optional(),
    rows: rows.optional(),
  })
  .refine((body) => !(body.offer && body.command), "give `offer` or `command`, not both");

export type OpenTerminal = z.infer<typeof OpenTerminal>;

/** Text that is sent to the program as keyboard input. */
export const TerminalInput = z.strictObject({ data: z.string().min(1).max(65_536) });

export const TerminalSize = z.strictObject({ cols: columns, rows });

export type TerminalSize = z.infer<typeof TerminalSize>;

/** A chunk of output in Base64; `offset` is its first byte. The frame's `id` is the offset after it. */
export const TerminalOutput = z.object({ offset: z.number().int(), data: z.string() });

export type TerminalOutput = z.infer<typeof TerminalOutput>;

/** Bytes that are no longer retained, both ends inclusive. */
export const TerminalGap = z.object({ from: z.number().int(), to: z.number().int() });

export type TerminalGap = z.infer<typeof TerminalGap>;
