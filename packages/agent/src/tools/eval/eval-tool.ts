import type { ImageBlock, TextBlock } from "@gantry/models";
import { z } from "zod";
import type { Tool, ToolContext, ToolOutput, ToolPlace } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { removeForbidden, type SandboxProfile } from "../../sandbox/profile.ts";
import { defineTool } from "../define.ts";
import type { Bundle, CellOutcome } from "./kernel.ts";
import type { Kernels } from "./kernels.ts";
import type { Language } from "./languages.ts";
import { inText } from "./show.ts";

const LANGUAGES = { py: "py", python: "py", js: "js", javascript: "js" } as const;
const cell = () =>
  z.object({
    language: z
      .enum(["py", "python", "js", "javascript"])
      .optional()
      .describe("py or js; if left out: py where there is Python, else js"),
    code: z.string(),
    title: z.string().optional(),
    timeout: z.number().optional().describe("Seconds, 1 to 600; 30 if left out"),
    reset: z.boolean().optional().describe("Start a fresh kernel"),
  });
const schema = () => z.object({ cells: z.array(cell()).min(1) });
type Cell = z.output<ReturnType<typeof cell>>;

export type EvalToolOptions = {
  kernels: Kernels;
  /** The languages that the settings allow; at least one. */
  languages: readonly Language[];
  /** Restarts Python after each call. */
  forgetful?: boolean;
  profile(actions: readonly Action[], place: ToolPlace): SandboxProfile | undefined;
};

const DESCRIPTION = `Runs cells of Python or JavaScript. Each language has a kernel that preserves its state between calls.
The value of the last expression is shown, \`display(x)\` shows more, await works at the top level. Python supports %pip, %cd,
%%bash, !command and similar magics, and read, write, append, env, tree, stat and diff. In JavaScript \`await tool.<name>({…})\` calls another tool. There is no stdin. After a cell
that fails, the remaining cells are skipped.`;

export function evalTool(options: EvalToolOptions): Tool {
  return defineTool({
    name: "eval",
    label: "Eval",
    description: DESCRIPTION,
    schema,
    concurrency: "exclusive",
    title: ({ cells }) => cells.map((one) => one.title ?? one.language ?? languageOf(one, options)).join(", "),
    actions: ({ cells }) =>
      cells.map((one) => ({ kind: "code.run", language: languageOf(one, options), code: one.code })),
    async run({ cells }, context, actions) {
      try {
        return await runCells(cells, options, context, actions);
      } finally {
        if (options.forgetful) await options.kernels.end("py");
      }
    },
  });
}

/** Without a language, Python is preferred if the settings allow it and it is installed. */
function languageOf({ language }: Cell, { languages, kernels }: EvalToolOptions): Language {
  if (language !== undefined) return LANGUAGES[language];
  const usable = languages.find((one) => kernels.canStart(one));
  return usable ?? languages[0] ?? "js";
}

async function runCells(
  cells: readonly Cell[],
  options: EvalToolOptions,
  context: ToolContext,
  actions: readonly Action[],
): Promise<ToolOutput> {
  const content: (TextBlock | ImageBlock)[] = [];
  const details: unknown[] = [];
  for (const [at, one] of cells.entries()) {
    const result = await runCell(one, options, context, actions);
    const heading = cells.length > 1 ? `[${at + 1}/${cells.length}${one.title ? ` ${one.title}` : ""}]\n` : "";
    content.push({ type: "text", text: heading + (await boundText(result.text, context)) }, ...result.images);
    details.push(result.details);
    if (!result.failed) continue;
    const left = cells.length - at - 1;
    if (left > 0)
      content.push({
        type: "text",
        text: `Cell ${at + 1} failed; ${left} more ${left === 1 ? "was" : "were"} not run.`,
      });
    return { content, details: { cells: details }, isError: true };
  }
  return { content, details: { cells: details } };
}

type Ran = { text: string; images: ImageBlock[]; details: unknown; failed: boolean };

const LONGEST = 50 * 1024;
/** How much output of one cell is stored. */
const HELD = 2 * 1024 * 1024;

async function runCell(
  one: Cell,
  options: EvalToolOptions,
  context: ToolContext,
  actions: readonly Action[],
): Promise<Ran> {
  const language = languageOf(one, options);
  if (!options.languages.includes(language)) {
    const text = `${language} cells are disabled here; available: ${options.languages.join(" and ")}.`;
    return { text, images: [], details: { status: "error" }, failed: true };
  }
  const profile = options.profile(actions, context);
  const got = await options.kernels.get(language, profile, one.reset ?? false);
  if ("missing" in got) {
    const other = language === "py" && options.languages.includes("js") ? " js cells work here." : "";
    return { text: `${got.missing}${other}`, images: [], details: { status: "error" }, failed: true };
  }
  const images: ImageBlock[] = [];
  const data: unknown[] = [];
  let text = "";
  const add = (piece: string) => {
    if (text.length < HELD) context.progress(piece);
    text = (text + piece).slice(-HELD);
  };
  const show = (bundle: Bundle) => {
    const shown = inText(bundle);
    images.push(...shown.images);
    data.push(...shown.data);
    if (shown.text !== "") add(`${text === "" || text.endsWith("\n") ? "" : "\n"}${shown.text}\n`);
  };
  const { call } = context;
  const tool = call && ((name: string, args: unknown) => call(name, args).then(outputText));
  const seconds = Math.min(600, Math.max(1, one.timeout ?? 30));
  const listener = { text: add, show, ...(tool && { tool }) };
  const outcome = await got.kernel.run(one.code, listener, context.signal, seconds * 1000);
  if (profile) removeForbidden(profile);
  const parts = [
    ...(got.note ? [`[${got.note}]`] : []),
    text.replace(/\n$/, ""),
    ...describeEnding(outcome, seconds, got.kernel.errorOutput),
  ];
  const failed = outcome.status === "error" || outcome.cancelled || outcome.timedOut;
  const details = {
    language,
    status: failed ? "error" : "ok",
    cancelled: outcome.cancelled,
    ...(data.length > 0 && { data }),
  };
  return { text: parts.filter((part) => part !== "").join("\n") || "(no output)", images, details, failed };
}

function describeEnding(
  { traceback, cancelled, timedOut, died }: CellOutcome,
  seconds: number,
  errorOutput: string,
): string[] {
  return [
    ...(traceback !== undefined && !cancelled && !timedOut ? [traceback] : []),
    ...(died !== undefined ? [`The kernel has ended (${died}); its state is lost.`, errorOutput] : []),
    ...(timedOut ? [`Command timed out after ${seconds} seconds`] : []),
    ...(cancelled ? ["Aborted"] : []),
  ];
}

/** A tool's output for code: its text, or an error. */
function outputText(output: ToolOutput): string {
  const text = output.content.map((block) => (block.type === "text" ? block.text : `[${block.mimeType}]`)).join("\n");
  if (output.isError) throw new Error(text);
  return text;
}

async function boundText(text: string, context: ToolContext): Promise<string> {
  if (text.length <= LONGEST) return text;
  return `[The end of a longer output; stored output: ${await context.keep(text, "eval")}]\n${text.slice(-LONGEST)}`;
}
