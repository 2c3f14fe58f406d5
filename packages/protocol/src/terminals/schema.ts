import { z } from "zod";
import { Offer } from "../agents/offer.ts";
import { AgentId, SessionId, TerminalId } from "../ids/schema.ts";

const size = (most: number) => z.number().int().min(1).max(most);

const columns = size(1000);

const rows = size(1000);

/** How a program ended. */
export const TerminalExit = z.object({ code: z.number().int().nullable(), signal: z.string().nullable() });

export type TerminalExit = z.infer<typeof TerminalExit>;

/** A terminal of the daemon's machine. It ends with the daemon. */
export const Terminal = z.object({
  id: TerminalId,
  /** The arguments as they are run. */
  command: z.array(z.string()),
  cwd: z.string(),
  session: SessionId.optional(),
  /** What it was opened for. */
  offer: Offer.optional(),
  state: z.enum(["running", "exited"]),
  exit: TerminalExit.optional(),
  cols: z.number().int(),
  rows: z.number().int(),
  /** Output is kept from this byte on; what came before is gone. */
  from: z.number().int(),
  /** The byte after the last one that was printed. */
  to: z.number().int(),
  createdAt: z.iso.datetime(),
});

export type Terminal = z.infer<typeof Terminal>;

export const OpenTerminal = z
  .strictObject({
    /** Works in this session's folder and has its environment. */
    session: SessionId.optional(),
    cwd: z.string().max(4096).optional(),
    /** Runs what is offered for an agent; the agent is asked anew when it ends. */
    offer: z.strictObject({ agent: AgentId, kind: Offer.shape.kind }).optional(),
    /** Runs this. Without it, and without an offer, the user's login shell. */
    command: z.array(z.string().max(32_768)).min(1).max(1000).optional(),
    cols: columns.optional(),
    rows: rows.optional(),
  })
  .refine((body) => !(body.offer && body.command), "give `offer` or `command`, not both");

export type OpenTerminal = z.infer<typeof OpenTerminal>;

/** Text goes to the program as if it were typed. */
export const TerminalInput = z.strictObject({ data: z.string().min(1).max(65_536) });

export const TerminalSize = z.strictObject({ cols: columns, rows });

export type TerminalSize = z.infer<typeof TerminalSize>;

/** A piece of output as it was printed, in Base64; `offset` is its first byte. The frame's `id` is the byte after it. */
export const TerminalOutput = z.object({ offset: z.number().int(), data: z.string() });

export type TerminalOutput = z.infer<typeof TerminalOutput>;

/** Bytes that are no longer kept, both ends included. */
export const TerminalGap = z.object({ from: z.number().int(), to: z.number().int() });

export type TerminalGap = z.infer<typeof TerminalGap>;
