import { join } from "node:path";
import type { ProjectCommand } from "@gantry/protocol";
import { readRegularFile, type TrustStore } from "@gantry/trust";
import { ConfigError, parseYaml } from "../config.ts";
import { writeInProject } from "../defaults/write-in-project.ts";
import { LANE_FILE, LaneFile } from "../lanes/create/lane-file.ts";
import { laneFileItems } from "../lanes/untrusted.ts";
import { editYaml } from "../settings/edit-yaml.ts";

/** Set-up and check of a repository, and whether the user has trusted them. */
export type LaneCommands = { setup?: ProjectCommand; check?: ProjectCommand; mistakes?: string[] };

type Changes = { setup?: string | null | undefined; check?: string | null | undefined };

const MOST_BYTES = 1024 * 1024;

/** Reads the file of the main work tree. Runs nothing. Never throws. */
export function readLaneCommands(root: string, trust: TrustStore): LaneCommands {
  try {
    const file = parseYaml(LANE_FILE, readText(root), LaneFile);
    const commandOf = (kind: "setup-script" | "check", command: string | undefined): ProjectCommand | undefined => {
      if (command === undefined) return undefined;
      const items = laneFileItems(file, root).filter((item) => item.kind === kind);
      return { command, trusted: trust.covers(root, items) };
    };
    const [setup, check] = [commandOf("setup-script", file.setup), commandOf("check", file.check)];
    return { ...(setup ? { setup } : {}), ...(check ? { check } : {}) };
  } catch (error) {
    return { mistakes: [error instanceof ConfigError ? error.message : `${LANE_FILE} cannot be read.`] };
  }
}

/** What a person writes through Gantry is trusted; the other command of the file is not. Throws `conflict` or `invalid`. */
export function writeLaneCommands(root: string, changes: Changes, trust: TrustStore): void {
  const path = join(root, LANE_FILE);
  const edits = Object.entries(changes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ keys: [key], value }],
  );
  let next: LaneFile | undefined;
  writeInProject(path, () => {
    next = editYaml(path, readText(root), LaneFile, edits);
  });
  const kinds = [...(changes.setup ? ["setup-script"] : []), ...(changes.check ? ["check"] : [])];
  const items = next ? laneFileItems(next, root).filter(({ kind }) => kinds.includes(kind)) : [];
  if (items.length > 0) trust.add(root, items);
}

function readText(root: string): string {
  try {
    return readRegularFile(join(root, LANE_FILE), MOST_BYTES).toString("utf8");
  } catch {
    return "";
  }
}
