import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Tool, ToolContext } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { defineTool, textOutput } from "../define.ts";
import { ripgrep } from "./ripgrep.ts";
import { allowedScopes, fileFlags, hitName, inScope, isFolder, runPlace, scopeActions } from "./scope.ts";

const HOLD = 200_000;
const AT_ONCE = 64;
const MAX_BYTES = 50 * 1024;
const SIMILAR = 20;

const schema = () =>
  z.object({
    pattern: z
      .string()
      .min(1)
      .optional()
      .describe("glob for the name or path: *.ts, src/**/test*; part of a name finds similar names"),
    path: z.string().optional().describe("folder to look in; default the working folder"),
    paths: z.array(z.string()).optional().describe("folders or globs"),
    hidden: z.boolean().default(true),
    gitignore: z.boolean().default(true).describe("skip files that git ignores"),
    limit: z.number().int().min(1).max(5000).default(1000),
    skip: z.number().int().min(0).default(0).describe("files to skip, to continue after an earlier answer"),
    timeout: z.number().min(0.5).max(60).default(5).describe("seconds"),
  });
type FindArgs = z.output<ReturnType<typeof schema>>;

export function findTool(): Tool {
  return defineTool({
    name: "find",
    label: "Find",
    description: "Finds files by name, the newest first.",
    schema,
    title: ({ pattern, path, paths }) =>
      `Find ${[pattern, path, ...(paths ?? [])].filter(Boolean).join(" ") || "files"}`,
    actions: (args, place) => scopeActions(targets(args), place),
    run: find,
  });
}

function targets({ path, paths }: FindArgs): string[] {
  return [...(paths ?? []), ...(path ? [path] : [])];
}

async function find(args: FindArgs, context: ToolContext, actions: readonly Action[]) {
  const found = new Map<string, { cwd: string; name: string }>();
  let late = false;
  for (const scope of allowedScopes(targets(args), context, actions)) {
    const { cwd, target } = runPlace(scope);
    const wanted = inScope(scope, args.pattern);
    const options = { cwd, signal: context.signal, timeoutMs: args.timeout * 1000, separator: 0 };
    const end = await ripgrep(
      ["--files", "--null", ...fileFlags(args.pattern ?? scope.glob, args), "--", target],
      options,
      (record) => {
        const name = record.toString("utf8");
        if (wanted(name)) found.set(join(cwd, name), { cwd, name });
        return found.size < HOLD;
      },
    );
    late ||= end.stopped !== "end";
  }
  if (found.size === 0) {
    const similar = await findSimilar(args, context, actions);
    if (similar.length > 0)
      return textOutput(
        [...similar, "[No name matches the pattern exactly; these are similar, the best first.]"].join("\n"),
        {
          files: similar.length,
          stopped: late,
        },
      );
  }
  const sorted = await newestFirst([...found], context.signal);
  const page = sorted.slice(args.skip, args.skip + args.limit);
  const { lines, left } = cutToSize(page.map(([, { cwd, name }]) => hitName(cwd, name, context)));
  const notes: string[] = [];
  const shown = args.skip + lines.length;
  if (shown < sorted.length || left > 0)
    notes.push(`${shown} of ${sorted.length} files. Continue with skip: ${shown}.`);
  if (late) notes.push(`The search stopped after ${args.timeout} s or ${HOLD} files; the result is incomplete.`);
  const text = lines.length > 0 ? lines.join("\n") : "Nothing found.";
  return textOutput([text, ...notes.map((note) => `[${note}]`)].join("\n"), { files: sorted.length, stopped: late });
}

/** Fuzzy matches of a pattern without wildcards. */
async function findSimilar(args: FindArgs, context: ToolContext, actions: readonly Action[]): Promise<string[]> {
  const { pattern, gitignore } = args;
  if (!pattern || /[*?[\]{}!]/.test(pattern) || !gitignore || args.skip > 0) return [];
  const { createFileIndex } = await import("@gantry/terminal/files");
  const names: string[] = [];
  for (const scope of allowedScopes(targets(args), context, actions)) {
    if (!isFolder(scope.root)) continue;
    const wanted = inScope(scope);
    const index = createFileIndex(scope.root);
    context.signal.addEventListener("abort", index.close);
    const matches = await index.search(pattern, SIMILAR * 5);
    context.signal.removeEventListener("abort", index.close);
    index.close();
    const isShown = (path: string) => wanted(path) && (args.hidden || !/(^|\/)\./.test(path));
    const files = matches.filter(({ path, kind }) => kind === "file" && isShown(path));
    names.push(...files.slice(0, SIMILAR).map(({ path }) => hitName(scope.root, path, context)));
  }
  return names.slice(0, SIMILAR);
}

async function newestFirst<Value>(found: [string, Value][], signal: AbortSignal): Promise<[string, Value][]> {
  const times = new Map<string, number>();
  for (let at = 0; at < found.length; at += AT_ONCE) {
    signal.throwIfAborted();
    const batch = found.slice(at, at + AT_ONCE);
    await Promise.all(
      batch.map(async ([path]) =>
        times.set(
          path,
          await stat(path).then(
            (info) => info.mtimeMs,
            () => 0,
          ),
        ),
      ),
    );
  }
  return found.sort(([a], [b]) => times.get(b)! - times.get(a)! || (a < b ? -1 : 1));
}

function cutToSize(lines: readonly string[]): { lines: string[]; left: number } {
  let bytes = 0;
  const fit = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > MAX_BYTES;
  });
  return fit < 0 ? { lines: [...lines], left: 0 } : { lines: lines.slice(0, fit), left: lines.length - fit };
}
