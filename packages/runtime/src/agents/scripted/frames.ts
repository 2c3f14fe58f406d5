import { Command, ControlValues, DeltaChannel, Mode, Model } from "@gantry/protocol";
import { z } from "zod";

/**
 * What the scripted agent prints, one JSON object a line. Events are those of the protocol, with native item ids and
 * without turn or session; their data is checked against the protocol's own table.
 */
export const ReadyFrame = z.object({
  type: z.literal("ready"),
  session: z.string().min(1),
  version: z.string().optional(),
  model: z.string().optional(),
  mode: Mode.optional(),
  models: z.array(Model).default([]),
  commands: z.array(Command).default([]),
  /** The native controls in effect. */
  controls: ControlValues.optional(),
});

export const ControlsFrame = z.object({ type: z.literal("controls"), values: ControlValues });

export const AcceptedFrame = z.object({
  type: z.literal("accepted"),
  id: z.string(),
  inline: z.boolean().default(false),
});

export const SetDoneFrame = z.object({
  type: z.literal("set.done"),
  field: z.enum(["model", "mode", "effort", "controls"]),
  value: z.string(),
  ok: z.boolean(),
  message: z.string().optional(),
});

export const PongFrame = z.object({ type: z.literal("pong"), id: z.string() });

export const ErrorFrame = z.object({ type: z.literal("error"), code: z.string(), message: z.string() });

export const DeltaFrame = z.object({
  type: z.literal("delta"),
  item: z.string().min(1),
  channel: DeltaChannel,
  text: z.string(),
});
