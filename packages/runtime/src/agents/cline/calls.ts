import { type Fields, fields, list, nonBlank, text } from "../fields.ts";

/**
 * A tool call as the others would tell it. Cline's tools take lists and answer with rows of `{query, result, error,
 * success}`, and a call whose rows have failed is still completed.
 */
export function calls(call: Fields): Fields {
  const kind = /^apply_patch\b/.test(text(call.title) ?? "") ? { kind: "edit" } : {};
  return { ...call, ...kind, ...command(call), ...diff(call), ...outcome(call) };
}

function command({ rawInput }: Fields): Fields {
  const commands = list(fields(rawInput).commands).filter((entry) => typeof entry === "string");
  return commands.length === 0 ? {} : { rawInput: { ...fields(rawInput), command: commands.join("\n") } };
}

/** `editor` replaces a text, puts one in before a line, or with neither makes a new file. */
function diff({ kind, rawInput }: Fields): Fields {
  const { path, old_text, new_text, insert_line } = fields(rawInput);
  const newText = text(new_text);
  if (kind !== "edit" || !nonBlank(path) || newText === undefined) return {};
  const change = typeof insert_line === "number" ? { _meta: { kind: "update" } } : {};
  // Its own title is the beginning of the input.
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
