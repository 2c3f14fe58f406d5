import { z } from "zod";
import { PreviewId, SessionId } from "../ids/schema.ts";

/** A dev server on the daemon's machine, proxied under a separate origin. It ends with the daemon. */
export const Preview = z.object({
  id: PreviewId,
  /** The requested address with its path: `http://localhost:5173/admin`. */
  target: z.url(),
  /** The origin for browsers on this machine. Its host name always differs from the one that the caller used for the daemon. */
  origin: z.url(),
  session: SessionId.optional(),
  createdAt: z.iso.datetime(),
});

export type Preview = z.infer<typeof Preview>;

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
