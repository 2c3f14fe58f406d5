import { z } from "zod";
import { AgentId, SessionId } from "../ids/schema.ts";

/** One agent process of the daemon. */
export const LiveProcess = z.object({
  session: SessionId,
  title: z.string(),
  agent: AgentId,
  pid: z.number().int().optional(),
  startedAt: z.iso.datetime().optional(),
  /** `starting`: its conversation is not open. `busy`: a turn, a pending input or a task needs it. `idle`: it may be released. */
  state: z.enum(["starting", "busy", "idle"]),
  /** For an idle process: since when, and when it is released. */
  idleSince: z.iso.datetime().optional(),
  releaseAt: z.iso.datetime().optional(),
});

export type LiveProcess = z.infer<typeof LiveProcess>;

/** Above `max`, the process that was idle longest is released. Busy processes are never released, so there may be more. */
export const ProcessList = z.object({ max: z.number().int(), processes: z.array(LiveProcess) });

export type ProcessList = z.infer<typeof ProcessList>;
