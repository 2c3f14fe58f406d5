import { z } from "zod";
import { type Tool, type ToolContext, ToolError } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { defineTool, textOutput } from "../define.ts";
import { labelLine } from "../disk/anchor.ts";
import { linesOf } from "../disk/lines.ts";
import { displayPath } from "../disk/path.ts";
import { snapshotsOf } from "../disk/snapshots.ts";
import { scopeActions } from "../search/scope.ts";
import { type CodeFile, codeFiles } from "./files.ts";
import { KNOWN_LANGUAGES } from "./languages.ts";
import { type CodeMatch, findMatches } from "./match.ts";

const PAGE = 100;
const MATCH_LINES = 6;

const schema = () =>
  z.object({
    pat: z.string().min(1).describe("code with $X for one node, $_ for any, $$$X for many: foo($A, $$$REST)"),
    paths: z.array(z.string()).min(1).describe("files, folders or globs"),
    skip: z.number().int().min(0).default(0).describe("matches to skip"),
  });

export function astGrepTool({ anchors = true }: { anchors?: boolean } = {}): Tool {
  return defineTool({
    name: "ast_grep",
    label: "Search code",
    description: `Searches code by its structure, regardless of spaces and line ends. Languages: ${KNOWN_LANGUAGES}.`,
    schema,
    title: ({ pat }) => `Search code ${pat}`,
    actions: ({ paths }, place) => scopeActions(paths, place),
    run: (args, context, actions) => search(args, anchors, context, actions),
  });
}

async function search(
  { pat, paths, skip }: z.output<ReturnType<typeof schema>>,
  anchors: boolean,
  context: ToolContext,
  actions: readonly Action[],
) {
  const out: string[] = [];
  let seen = 0;
  let parsed = 0;
  let problem: string | undefined;
  for await (const file of codeFiles(paths, context, actions)) {
    const matches = await findMatches(file, pat);
    if (!Array.isArray(matches)) {
      problem = matches.problem;
      continue;
    }
    parsed++;
    const wanted = matches.filter((_, index) => seen + index >= skip && seen + index < skip + PAGE);
    seen += matches.length;
    if (wanted.length === 0) continue;
    snapshotsOf(context).remember(file.path, file.text);
    out.push([displayPath(file.path, context), ...rows(file, wanted, anchors)].join("\n"));
  }
  if (parsed === 0 && problem) throw new ToolError(`No file could be searched: ${problem}. Known: ${KNOWN_LANGUAGES}.`);
  const note = seen > skip + PAGE ? `\n[${skip + PAGE} of ${seen} matches. Continue with skip: ${skip + PAGE}.]` : "";
  const none = `Nothing found in ${parsed} files (${KNOWN_LANGUAGES} are known).`;
  return textOutput((out.join("\n\n") || none) + note, { matches: seen, files: parsed });
}

function rows(file: CodeFile, matches: readonly CodeMatch[], anchors: boolean): string[] {
  const lines = linesOf(file.text);
  return matches.flatMap(({ line, text }) => {
    const count = text.split("\n").length;
    const shown = lines.slice(line - 1, line - 1 + Math.min(count, MATCH_LINES));
    const printed = shown.map((row, index) => labelLine(line + index, row, row.slice(0, 500), anchors));
    return count > MATCH_LINES ? [...printed, `  … ${count - MATCH_LINES} more lines`] : printed;
  });
}
