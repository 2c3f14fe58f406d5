import { join } from "node:path";
import { GantryError } from "@gantry/protocol";
import { hashCommand, type TrustItem, trustCommand } from "@gantry/trust";
import { LANE_FILE, type LaneFile } from "./create/lane-file.ts";

/** What a repository's lane file would run in a lane. Files that a command names are part of the command. */
export function laneFileItems({ setup, check }: Pick<LaneFile, "setup" | "check">, path: string): TrustItem[] {
  const describe = (kind: "setup-script" | "check", command: string | undefined): TrustItem[] => {
    if (command === undefined) return [];
    const hash = hashCommand(command, [command], path);
    return [{ kind, name: kind, file: join(path, LANE_FILE), command, hash, id: `lane.yml ${kind}` }];
  };
  return [...describe("setup-script", setup), ...describe("check", check)];
}

const LABELS: Partial<Record<TrustItem["kind"], string>> = {
  "setup-script": "the set-up command",
  check: "the check",
  hook: "the hook",
  filter: "the filter",
  "git-program": "the git setting",
};

/** The items as text, such as "the filter lfs, the set-up command npm ci". */
export function listItems(items: readonly TrustItem[]): string {
  const names = items.map(({ kind, name, command }) => {
    const what = kind === "setup-script" || kind === "check" ? command.slice(0, 200) : name;
    return `${LABELS[kind] ?? kind} ${what}`;
  });
  return [...new Set(names)].join(", ");
}

/** The refusal of what the user has not trusted. `what` is a sentence that ends where the list begins. */
export function untrustedError(what: string, folder: string, items: readonly TrustItem[]): GantryError {
  return new GantryError("untrusted", `${what} ${listItems(items)}.`, {
    remedy: `Look at it and allow it: ${trustCommand(folder)}`,
    details: { path: folder, items: items.map(({ kind, name, file, command }) => ({ kind, name, file, command })) },
  });
}
