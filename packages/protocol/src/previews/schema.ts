import { z } from "zod";
import { PreviewId, SessionId } from "../ids/schema.ts";
import { TaskId } from "../tasks/schema.ts";

/** A dev server on the daemon's machine, proxied under a separate origin. It ends with the daemon. */
export const Preview = z.object({
  id: PreviewId,
  /** The requested address with its path: `http://localhost:5173/admin`. */
  target: z.url(),
  /** The origin for browsers on this machine. Its host name always differs from the one that the caller used for the daemon. */
  origin: z.url(),
  /** Opens the preview once, within a minute. Only in the response that opened it; `tickets` issues others. */
  url: z.url().optional(),
  session: SessionId.optional(),
  createdAt: z.iso.datetime(),
});

export type Preview = z.infer<typeof Preview>;

/** A link that opens a preview once in a browser, which the preview then recognises. */
export const PreviewTicket = z.object({ url: z.url(), expiresAt: z.iso.datetime() });

export type PreviewTicket = z.infer<typeof PreviewTicket>;

/** `path`: what the link shows. Default: the path of the target. */
export const CreatePreviewTicket = z.strictObject({
  path: z
    .string()
    .regex(/^\/(?!\/)/, "must be a path that starts with /")
    .max(2048)
    .optional(),
});

export const OpenPreview = z
  .strictObject({
    /** An address on loopback: `http://localhost:5173/admin`. */
    url: z.string().min(1).max(2048).optional(),
    /** Short for `http://localhost:<port>/`. */
    port: z.number().int().min(1).max(65_535).optional(),
    /** The session that the preview belongs to. */
    session: SessionId.optional(),
  })
  .refine((body) => (body.url === undefined) !== (body.port === undefined), "give `url` or `port`, and not both");

export type OpenPreview = z.infer<typeof OpenPreview>;

/** A server that a session's processes run, or whose address they printed. It answers on loopback. */
export const DevServer = z.object({
  port: z.number().int(),
  /** The printed address, else `http://localhost:<port>/`. */
  url: z.url(),
  /** `port`: a process of the session listens. `output`: an address in the output of the agent or of a terminal. */
  source: z.enum(["port", "output"]),
  pid: z.number().int().optional(),
  /** Its command line, shortened. */
  command: z.string().optional(),
  /** The task or terminal that runs it and has its log. */
  task: TaskId.optional(),
  terminal: z.string().optional(),
});

export type DevServer = z.infer<typeof DevServer>;
