import type { Dialect } from "../acp/dialect.ts";
import { calls } from "./calls.ts";

const edits = ["save-file", "apply_patch", "str-replace-editor", "remove-files"];
const others = ["launch-process", "write-process", "kill-process", "web-fetch"];
/** Tools that run at its maker's, for services that its user has joined. */
const services = ["github-api", "linear", "jira", "confluence", "notion", "supabase", "glean"];

/** What a tool may do is given when it starts, on top of the user's own rules, of which the strictest counts. */
function rules(rule: "ask-user" | "deny", tools: readonly string[]): readonly string[] {
  return tools.flatMap((tool) => ["--permission", `${tool}:${rule}`]);
}

/** Auggie: cannot be logged in over ACP. By itself it asks before nothing. */
export const dialect: Dialect = {
  agent: "auggie",
  version: 1,
  // Otherwise it tries again for an hour where its service fails, and tells nothing of it.
  args: ["--acp", "--retry-timeout", "30"],
  // It asks only before tools that are named when it starts, and those of a server are not known then.
  takes: {},
  rungs: {
    // Its own `--ask` does nothing over ACP.
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
