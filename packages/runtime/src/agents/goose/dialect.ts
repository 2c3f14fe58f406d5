import type { Dialect } from "../acp/dialect.ts";
import { compact, type Fields, fields, nonBlank, ownValue, text } from "../fields.ts";

/**
 * Goose, based on the source of its ACP server: `approve` asks before every tool, `smart_approve` only before changes,
 * `chat` has no tools. It does not report tool kinds.
 */
export const dialect: Dialect = {
  agent: "goose",
  version: 1,
  args: ["acp"],
  rungs: {
    ask: { mode: "approve" },
    "full-auto": { mode: "auto" },
  },
  failureText: /^Ran into this error: /,
  failures: [[/exceeded your current quota/i, "quota"]],
  call: normaliseCall,
  compact: "compact",
  login: "goose configure",
};

/** Goose's built-in tools. */
const kinds: Record<string, string> = {
  shell: "execute",
  write: "edit",
  edit: "edit",
  text_editor: "edit",
  read: "read",
  tree: "search",
};

/** Normalises a call: adds the tool's name, kind and file change. */
function normaliseCall(call: Fields): Fields {
  const toolName = nonBlank(fields(fields(fields(call._meta).goose).toolCall).toolName);
  const name = toolName?.split("__").at(-1) ?? /^(?:[\w ]+: )?(\w+)/.exec(text(call.title) ?? "")?.[1];
  const kind = ownValue(kinds, name);
  if (name === undefined || kind === undefined) return compact({ ...call, name: toolName });
  const wanted = kind === "edit" && call.content === undefined ? change(fields(call.rawInput)) : undefined;
  return compact({ ...call, name, kind, content: wanted ?? call.content });
}

function change({ path, content, before, after }: Fields): Fields[] | undefined {
  const newText = text(content) ?? text(after);
  return nonBlank(path) && newText !== undefined
    ? [{ type: "diff", path, oldText: text(before) ?? null, newText }]
    : undefined;
}
