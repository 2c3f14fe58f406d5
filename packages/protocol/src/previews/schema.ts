import { z } from "zod";
import { PreviewId, SessionId } from "../ids/schema.ts";

/** A dev server of the daemon's machine, shown under an origin of its own. It ends with the daemon. */
export const Preview = z.object({
  id: PreviewId,
  /** The address that was asked for, with its path: `http://localhost:5173/admin`. */
  target: z.url(),
  /** Where a browser on this machine finds it. Its host name is never the one that the caller used for the daemon. */
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
    /** The session that it is looked at for. */
    session: SessionId.optional(),
  })
  .refine((body) => (body.url === undefined) !== (body.port === undefined), "give `url` or `port`, and not both");

export type OpenPreview = z.infer<typeof OpenPreview>;
