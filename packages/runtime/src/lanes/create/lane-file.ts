import { join } from "node:path";
import { GantryError } from "@gantry/protocol";
import { readRegularFile } from "@gantry/trust";
import { z } from "zod";
import { ConfigError, parseYaml } from "../../config.ts";
import type { Git } from "../git/git.ts";

export const LANE_FILE = ".gantry/lane.yml";
const MOST_BYTES = 1024 * 1024;

const glob = z
  .string()
  .min(1)
  .max(500)
  .refine((text) => !text.startsWith("/") && !text.split("/").includes(".."), "must be a path inside the repository");

/** `.gantry/lane.yml` of a repository: the needs of a new lane. Unknown keys are errors with their line. */
export const LaneFile = z.strictObject({
  /** Files that git does not track, such as `.env`, to copy from the primary work tree. */
  copy: z.array(glob).max(100).default([]),
  /** A shell command that prepares the lane for work. */
  setup: z.string().min(1).max(10_000).optional(),
  /** A shell command that verifies the lane's content: tests, types, a build. Exit code 0 means success. */
  check: z.string().min(1).max(10_000).optional(),
  timeoutSeconds: z.number().positive().max(86_400).optional(),
  /** How many ports the lane gets. */
  ports: z.number().int().min(1).max(1000).optional(),
});
export type LaneFile = z.infer<typeof LaneFile>;

/** Where the file is looked for: in the lane, in the lane's first commit, then in the primary work tree. */
export type LaneFilePlaces = { path?: string; commit?: string; primary: string; bare?: boolean };

/** The first one found, or all defaults. Throws `invalid` with every mistake and its line. */
export async function readLaneFile(git: Git, places: LaneFilePlaces): Promise<LaneFile> {
  const { path, commit, primary, bare } = places;
  const text =
    (path && read(join(path, LANE_FILE))) ??
    (commit && (await readCommitted(git, primary, commit))) ??
    (bare ? undefined : read(join(primary, LANE_FILE)));
  if (text === undefined) return LaneFile.parse({});
  try {
    return parseYaml(LANE_FILE, text, LaneFile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new GantryError("invalid", error.message, {
      remedy: `Fix ${LANE_FILE} of ${primary}, or create the lane without it: \`"setup": false\`, --no-setup.`,
      details: error.mistakes,
    });
  }
}

function read(path: string): string | undefined {
  try {
    return readRegularFile(path, MOST_BYTES).toString("utf8");
  } catch {
    return undefined;
  }
}

async function readCommitted(git: Git, primary: string, commit: string): Promise<string | undefined> {
  const { code, out } = await git.read(primary, ["cat-file", "blob", `${commit}:${LANE_FILE}`], {
    answers: [128],
    most: MOST_BYTES,
  });
  return code === 0 ? out : undefined;
}
