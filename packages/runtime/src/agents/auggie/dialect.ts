import type { Dialect } from "../acp/dialect.ts";
import { folderArguments } from "../kit/launch-parts.ts";
import { calls } from "./calls.ts";

const edits = ["save-file", "apply_patch", "str-replace-editor", "remove-files"];
const others = ["launch-process", "write-process", "kill-process", "web-fetch"];
/** Tools that run on the vendor's servers, for connected services. */
const services = ["github-api", "linear", "jira", "confluence", "notion", "supabase", "glean"];

/** Permission rules passed at start, in addition to the user's. The strictest rule wins. */
function rules(rule: "ask-user" | "deny", tools: readonly string[]): readonly string[] {
  return tools.flatMap((tool) => ["--permission", `${tool}:${rule}`]);
}

/** Auggie: no login over ACP. By default it asks for nothing. */
export const dialect: Dialect = {
  agent: "auggie",
  version: 1,
  // By default it retries for an hour without reporting it.
  args: ["--acp", "--retry-timeout", "30"],
  // It asks only for tools named at start, and a server's tools are not known then.
  takes: { folders: true },
  foldersAtStart: true,
  given: (options) => [folderArguments("--add-workspace", options)],
  rungs: {
    // Its `--ask` has no effect over ACP.
    plan: { args: rules("deny", [...edits, ...others, ...services]) },
    ask: { args: rules("ask-user", [...edits, ...others, ...services]) },
    "auto-edit": { args: rules("ask-user", [...others, ...services]) },
    "full-auto": {},
  },
  call: calls,
  asides: [
    { pattern: /^Augment would like to index your workspace/, as: "notice" },
    { pattern: /^Indexing (enabled|disabled)/, as: "notice" },
  ],
  login: "auggie login",
};
