import { SessionId, TurnId } from "@gantry/protocol";
import { z } from "zod";

/**
 * A session as one file: JSON lines, compressed with gzip. First a header, then each event unchanged, preceded by the
 * blobs that it refers to and that have not been written yet, then the patches of turns, and last a line with counts and
 * a hash of everything before it. It can be written and read in one pass, with one line in memory.
 */
export const FORMAT = "gantry-session";
export const VERSION = 1;
export const FILE_TYPE = "application/gzip";

const count = z.number().int().min(0);
const Sha = z.string().regex(/^[0-9a-f]{64}$/);

export const Header = z.object({
  format: z.literal(FORMAT),
  version: z.number().int().min(1),
  /** The Gantry version that wrote it. */
  gantry: z.string(),
  exportedAt: z.iso.datetime(),
  /** Paths are shortened and secrets redacted. */
  redacted: z.boolean().optional(),
  session: z.object({
    id: SessionId,
    agent: z.string(),
    title: z.string(),
    cwd: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
  events: count,
});
export type Header = z.infer<typeof Header>;

/** A part of a large text. The parts of one text are consecutive. */
export const BlobLine = z.object({ blob: Sha, part: count, last: z.boolean(), text: z.string() });
export type BlobLine = z.infer<typeof BlobLine>;

export const PatchLine = z.object({ patch: z.object({ turn: TurnId, text: z.string() }) });

export const EndLine = z.object({
  end: z.object({
    events: count,
    blobs: count,
    patches: count,
    /** Blobs that events refer to and that no longer existed. */
    missing: count,
    /** Of all lines before this one, with their line ends. */
    sha256: Sha,
    /** Of the events alone, so that the same session is recognised however it was packed. */
    eventsSha256: Sha,
  }),
});
export type Sums = z.infer<typeof EndLine>["end"];

/** An event's line is this prefix, the unchanged event, and a brace. */
export const EVENT_START = '{"event":';

export const limits = {
  /** Of the compressed file. */
  fileBytes: 1024 * 1024 * 1024,
  /** Of its content. */
  unpackedBytes: 8 * 1024 * 1024 * 1024,
  lineBytes: 48 * 1024 * 1024,
  blobCharacters: 256 * 1024 * 1024,
  events: 5_000_000,
  depth: 100,
};
