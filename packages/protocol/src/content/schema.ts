import { z } from "zod";

/** A large text in the blob store, with its first and last characters. */
export const BlobRef = z.object({
  blob: z.string().regex(/^[0-9a-f]{64}$/),
  size: z.number().int(),
  /** The number of lines. Absent in older logs. */
  lines: z.number().int().optional(),
  head: z.string(),
  tail: z.string(),
});

export type BlobRef = z.infer<typeof BlobRef>;

export const Text = z.union([z.string(), BlobRef]);

export type Text = z.infer<typeof Text>;

/** A file attached to a message. Its path is in the session's folder or the upload folder. */
export const Attachment = z.strictObject({
  path: z.string().max(4096).optional(),
  name: z.string().max(255).optional(),
  mime: z.string().max(100).optional(),
  /** The content in Base64, for a file that is not on the daemon's disk. */
  data: z.string().max(15_000_000).optional(),
});

export type Attachment = z.infer<typeof Attachment>;
