import { z } from "zod";
import { type Tool, type ToolContext, ToolError } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { defineTool, textOutput } from "../define.ts";
import { actionPath, displayPath, realPath } from "../disk/path.ts";
import { carryOut, type FileEdit, unifiedDiff } from "../edit/plan.ts";
import { scopeActions } from "../search/scope.ts";
import { type CodeFile, codeFiles } from "./files.ts";
import { KNOWN_LANGUAGES } from "./languages.ts";
import { filledIn, findMatches } from "./match.ts";

const MAX_CHANGES = 2000;
const SHOWN = 20_000;

const schema = () =>
  z.object({
    ops: z
      .array(z.object({ pat: z.string().min(1), out: z.string().describe("the replacement; empty deletes the match") }))
      .min(1)
      .describe("applied one after the other"),
    paths: z.array(z.string()).min(1).describe("files, folders or globs"),
  });

export function astEditTool({ anchors = true }: { anchors?: boolean } = {}): Tool {
  return defineTool({
    name: "ast_edit",
    label: "Edit code",
    description: `Rewrites code by its structure: \`pat\` with $X (one node) and $$$X (many), which \`out\` may use. Shows what would change; \`resolve\` then applies or discards it. Languages: ${KNOWN_LANGUAGES}.`,
    schema,
    // Previews are resolved in the order of the calls.
    concurrency: "exclusive",
    title: ({ ops }) => `Rewrite ${ops.map(({ pat }) => pat).join(", ")}`,
    actions: ({ paths }, place) => scopeActions(paths, place),
    run: (args, context, actions) => preview(args, anchors, context, actions),
  });
}

async function preview(
  { ops, paths }: z.output<ReturnType<typeof schema>>,
  anchors: boolean,
  context: ToolContext,
  actions: readonly Action[],
) {
  const edits: FileEdit[] = [];
  const problems = new Set<string>();
  let count = 0;
  let parsed = 0;
  for await (const file of codeFiles(paths, context, actions)) {
    const { text, changes, problem } = await rewriteFile(file, ops);
    if (problem) problems.add(problem);
    else parsed++;
    if (text === file.text) continue;
    edits.push({ path: file.path, before: file, after: text, notes: [] });
    count += changes;
    if (count > MAX_CHANGES) throw new ToolError(`More than ${MAX_CHANGES} changes. Narrow the paths or the pattern.`);
  }
  if (parsed === 0 && problems.size > 0)
    throw new ToolError(`No file could be searched: ${[...problems].join("; ")}. Known: ${KNOWN_LANGUAGES}.`);
  if (edits.length === 0) return textOutput(`Nothing to change in ${parsed} files (${KNOWN_LANGUAGES} are known).`);
  const diff = await unifiedDiff(edits, context);
  const label = `ast_edit: ${count} ${count === 1 ? "change" : "changes"} in ${edits.length} ${edits.length === 1 ? "file" : "files"}`;
  context.pend({
    label,
    sourceTool: "ast_edit",
    actions: edits.map(({ path }): Action => ({ kind: "file.write", path: actionPath(path, context) })),
    preview: diff,
    apply: (_reason, signal) => apply(edits, anchors, { ...context, signal }),
  });
  const shown = diff.length > SHOWN ? `${diff.slice(0, SHOWN)}\n… (${diff.length - SHOWN} more characters)` : diff;
  return textOutput(`Preview, nothing is changed yet. ${label}. Call resolve to apply or discard.\n${shown}`, {
    diff,
    count,
  });
}

async function rewriteFile(file: CodeFile, ops: readonly { pat: string; out: string }[]) {
  let text = file.text;
  let changes = 0;
  for (const { pat, out } of ops) {
    const matches = await findMatches({ ...file, text }, pat);
    if (!Array.isArray(matches)) return { text: file.text, changes: 0, problem: matches.problem };
    let result = "";
    let at = 0;
    for (const match of matches) {
      // A match inside another is part of the outer replacement.
      if (match.start < at) continue;
      result += text.slice(at, match.start) + filledIn(out, match, text);
      at = match.end;
      changes++;
    }
    text = result + text.slice(at);
  }
  return { text, changes };
}

/** The files must still be what the preview showed; `changeFiles` compares every byte. */
async function apply(edits: readonly FileEdit[], anchors: boolean, context: ToolContext) {
  for (const { path } of edits) {
    if (realPath(path) !== path)
      throw new ToolError(`${displayPath(path, context)} points to another place than before. Nothing was changed.`);
  }
  return carryOut(edits, { blockGenerated: false, force: true, anchors }, context);
}
