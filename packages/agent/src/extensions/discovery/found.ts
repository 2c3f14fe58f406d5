import type { TrustItem } from "@gantry/trust";
import type { Files } from "./closure.ts";

/**
 * An extension that was found, before anything of it runs. `files`: its content as it was read; exactly this is loaded. A
 * problem means that it cannot be used.
 */
export type Found = {
  kind: "module" | "commands" | "hooks";
  name: string;
  scope: "user" | "project";
  /** For people: where it comes from. */
  from: string;
  /** The entry file, the file with hooks, or the folder with commands. */
  path: string;
  files: Files;
  /** For an extension of a project: what the user has to trust. */
  item?: TrustItem;
  isClaude?: true;
  problem?: string;
};

/** The content of all files as one text, in a fixed order, for a hash and to notice changes. */
export function contentOf(files: Files): string {
  return JSON.stringify([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
}
