import { z } from "zod";
import { Attachment } from "../content/schema.ts";
import { Delivery } from "../events/session.ts";
import { MessageId } from "../ids/schema.ts";

const text = z.string().min(1, "must not be empty").max(1_000_000);

export const SendMessage = z.strictObject({
  id: MessageId.optional(),
  text,
  attachments: z.array(Attachment).max(20).optional(),
  delivery: Delivery.optional(),
});

export type SendMessage = z.infer<typeof SendMessage>;

export const PatchMessage = z
  .strictObject({
    text: text.optional(),
    position: z.number().int().min(0).optional(),
    /** Sends it now: into the running turn, or as the next turn after an interrupt. Other queued messages stay. */
    delivery: z.enum(["steer", "interrupt"]).optional(),
  })
  .refine((body) => Object.keys(body).length > 0, "name text, position or delivery");

export type PatchMessage = z.infer<typeof PatchMessage>;

export const Disposition = z.enum(["started", "queued", "steered", "interrupting"]);

export const Sent = z.object({ message: MessageId, disposition: Disposition, position: z.number().int().optional() });

export type Sent = z.infer<typeof Sent>;
