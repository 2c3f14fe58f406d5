import { z } from "zod";
import type { Tool, ToolContext } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { defineTool, textOutput } from "../define.ts";
import { type FileHits, GrepReader, printHits } from "./hits.ts";
import { ripgrep } from "./ripgrep.ts";
import { allowedScopes, fileFlags, inScope, runPlace, type Scope, scopeActions } from "./scope.ts";

const TOTAL = 2000;
const PER_FILE = 20;
const SINGLE_FILE = 200;
const TIMEOUT_MS = 60_000;

const schema = () =>
  z.object({
    pattern: z.string().min(1).describe("regular expression (Rust), or text with `literal`"),
    path: z.string().optional().describe("file, folder or glob; default the working folder"),
    paths: z.array(z.string()).optional().describe("several files, folders or globs"),
    glob: z.string().optional().describe("only files whose name matches: *.ts, !*.test.ts"),
    ignoreCase: z.boolean().optional(),
    i: z.boolean().optional().describe("the same as ignoreCase"),
    literal: z.boolean().optional(),
    multiline: z.boolean().optional().describe("match across line ends; the default if the pattern contains \\n"),
    context: z.number().int().min(0).max(20).optional().describe("lines around each hit"),
    gitignore: z.boolean().default(true).describe("skip files that git ignores"),
    hidden: z.boolean().default(true),
    limit: z.number().int().min(1).max(1000).default(100).describe("hits in one answer"),
    skip: z.number().int().min(0).default(0).describe("hits to skip, to continue after an earlier answer"),
  });
type GrepArgs = z.output<ReturnType<typeof schema>>;

export type GrepSettings = { contextBefore?: number; contextAfter?: number; anchors?: boolean };

export function grepTool(settings: GrepSettings = {}): Tool {
  return defineTool({
    name: "grep",
    label: "Search",
    description:
      "Searches the contents of files with ripgrep. Hits are marked with `>`; lines have the format of `read`. At most 20 hits per file (200 if one file is searched).",
    schema,
    title: ({ pattern }) => `Search ${pattern}`,
    actions: (args, place) => scopeActions(targets(args), place),
    run: (args, context, actions) => grep(args, settings, context, actions),
  });
}

function targets({ path, paths }: GrepArgs): string[] {
  return [...(paths ?? []), ...(path ? [path] : [])];
}

async function grep(args: GrepArgs, settings: GrepSettings, context: ToolContext, actions: readonly Action[]) {
  const scopes = allowedScopes(targets(args), context, actions);
  const files: FileHits[] = [];
  const perFile = scopes.length === 1 && runPlace(scopes[0]!).target !== "." ? SINGLE_FILE : PER_FILE;
  const problems = new Set<string>();
  let seen = 0;
  let stopped = false;
  for (const scope of scopes) {
    const { cwd, target } = runPlace(scope);
    const reader = new GrepReader(cwd, {
      skip: args.skip - seen,
      limit: args.limit - countOf(files),
      perFile,
      only: inScope(scope, args.glob),
    });
    const options = { cwd, signal: context.signal, timeoutMs: TIMEOUT_MS };
    const end = await ripgrep(flags(args, scope, settings, target), options, (record) => {
      reader.read(record);
      return !reader.full && seen + reader.seen < TOTAL + args.skip;
    });
    seen += reader.seen;
    files.push(...reader.files);
    if (end.problems) problems.add(end.problems.split("\n").slice(0, 3).join("\n"));
    stopped ||= end.stopped !== "end";
    if (reader.full) break;
  }
  const count = countOf(files);
  const notes = [...problems];
  if (stopped) notes.push(`There may be more: continue with skip: ${args.skip + count}.`);
  const text = count === 0 ? "Nothing found." : printHits(files, settings.anchors !== false, context);
  return textOutput([text, ...notes.map((note) => `[${note}]`)].join("\n"), {
    hits: count,
    files: files.length,
    stopped,
  });
}

function countOf(files: readonly FileHits[]): number {
  return files.reduce((sum, { hits }) => sum + hits, 0);
}

function flags(args: GrepArgs, scope: Scope, settings: GrepSettings, target: string): string[] {
  const before = args.context ?? settings.contextBefore ?? 0;
  const after = args.context ?? settings.contextAfter ?? 0;
  const multiline = args.multiline ?? (!args.literal && /\\n|\n/.test(args.pattern));
  return [
    "--json",
    // The order must be stable across pages.
    "--sort=path",
    `-B${before}`,
    `-A${after}`,
    ...(args.ignoreCase || args.i ? ["-i"] : []),
    ...(args.literal ? ["-F"] : []),
    ...(multiline || (args.literal && args.pattern.includes("\n")) ? ["-U"] : []),
    ...fileFlags(args.glob ?? scope.glob, args),
    "-e",
    args.pattern,
    "--",
    target,
  ];
}
