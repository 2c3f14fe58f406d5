import { type Fields, fields, list, nonBlank, text } from "../fields.ts";

/**
 * Normalises a tool call. Cline's tools take lists and return rows of `{query, result, error, success}`; a call with
 * failed rows is still reported as completed.
 */
export function calls(call: Fields): Fields {
  const kind = /^apply_patch\b/.test(text(call.title) ?? "") ? { kind: "edit" } : {};
  return { ...call, ...kind, ...command(call), ...diff(call), ...outcome(call) };
}

function command({ rawInput }: Fields): Fields {
  const commands = list(fields(rawInput).commands).filter((entry) => typeof entry === "string");
  return commands.length === 0 ? {} : { rawInput: { ...fields(rawInput), command: commands.join("\n") } };
}

/** `editor` replaces text, inserts before a line, or creates a file. */
function diff({ kind, rawInput }: Fields): Fields {
  const { path, old_text, new_text, insert_line } = fields(rawInput);
  const newText = text(new_text);
  if (kind !== "edit" || !nonBlank(path) || newText === undefined) return {};
  const change = typeof insert_line === "number" ? { _meta: { kind: "update" } } : {};
  // Cline's title is the start of the input.
  const title = `editor: ${path}`;
  return { title, content: [{ type: "diff", path, oldText: text(old_text) ?? "", newText, ...change }] };
}

function outcome({ status, rawOutput }: Fields): Fields {
  const rows = (Array.isArray(rawOutput) ? rawOutput : [rawOutput]).map(fields).filter((row) => "success" in row);
  if (rows.length === 0) return {};
  const failed = status === "completed" && rows.some(({ success }) => success === false);
  const output = rows.map(({ result, error }) => nonBlank(result) ?? text(error) ?? "").join("\n");
  const exits = rows.map(({ error }) => /^Command exited with code (\d+)$/.exec(text(error) ?? "")?.[1]);
  const exit = exits.find((code) => code !== undefined);
  return {
    rawOutput: { output, ...(exit === undefined ? {} : { exitCode: Number(exit) }) },
    ...(failed ? { status: "failed" } : {}),
  };
}
