import { existsSync } from "node:fs";
import { z } from "zod";
import { type Tool, type ToolContext, ToolError, type ToolPlace } from "../../contract/tool.ts";
import type { Action } from "../../permissions/action.ts";
import { defineTool } from "../define.ts";
import { actionPath, allowedPath, displayPath, resolvePath } from "../disk/path.ts";
import { type FetchSettings, fetchPage } from "../fetch/page.ts";
import { isWebAddress, schemeOf, urlAction } from "../urls/address.ts";
import { printText, readPath } from "./file.ts";
import { repairedPath } from "./repair.ts";
import { parseSelector, type Selector, splitSelector, WHOLE } from "./selector.ts";
import { READ_LIMITS, type ReadLimits } from "./window.ts";

const DESCRIPTION = `Reads a file, folder, image, notebook or address.
- \`path\` may end with a selector: \`:N\` (from line N), \`:A-B\`, \`:A+COUNT\`, several with commas (\`:1-20,80-95\`), \`:raw\` (without anchors).
- Lines come as \`ANCHOR|text\`. An anchor is the line's number and two letters (\`41th\`); \`edit\` takes it. It is not part of the file.
- Without a range the first 300 lines are shown, with one at most 3000 lines or 50 KB.
- http(s) addresses come as Markdown; internal ones (\`artifact://\`, \`rule://\`, \`skill://\`, \`agent://\`) as text.`;

const schema = () =>
  z.object({
    path: z.string().min(1).describe("path or address, with an optional selector: src/a.ts:10-40"),
  });

export type ReadSettings = { limits?: Partial<ReadLimits>; fetch?: FetchSettings };

export function readTool(settings: ReadSettings = {}): Tool {
  const limits = { ...READ_LIMITS, ...settings.limits };
  return defineTool({
    name: "read",
    label: "Read",
    description: DESCRIPTION,
    schema,
    title: ({ path }, place) => `Read ${displayPath(path, place)}`,
    actions: ({ path }, place) => [actionOf(path, place, settings)],
    run: async ({ path }, context, [action]) => {
      if (action?.kind !== "file.read") return readAddress(path, limits, settings, context);
      const { path: plain, selector } = splitPath(path, context);
      const output = await readPath(allowedPath(action.path, context, [action]), selector, limits, context);
      if (actionPath(plain, context) === action.path) return output;
      const note = `[${path} does not exist; this is ${displayPath(action.path, context)}]`;
      return { ...output, content: [{ type: "text", text: note }, ...output.content] };
    },
  });
}

function actionOf(path: string, place: ToolPlace, settings: ReadSettings): Action {
  if (schemeOf(path)) return urlAction(splitAddress(path).path, "read", settings.fetch?.allow);
  return { kind: "file.read", path: actionPath(repairedPath(splitPath(path, place).path, place), place) };
}

/** A file whose name looks like a path with a selector takes precedence. */
function splitPath(path: string, place: ToolPlace): { path: string; selector: Selector } {
  const whole = splitSelector(path);
  for (let end = path.length; end > whole.path.length; end = path.lastIndexOf(":", end - 1)) {
    const name = path.slice(0, end);
    if (!existsSync(resolvePath(name, place))) continue;
    return { path: name, selector: end === path.length ? WHOLE : parseSelector(path.slice(end + 1)) };
  }
  return whole;
}

function splitAddress(path: string) {
  return splitSelector(path, isWebAddress(path) ? "url" : "path");
}

async function readAddress(path: string, limits: ReadLimits, settings: ReadSettings, context: ToolContext) {
  const { path: url, selector } = splitAddress(path);
  const bare = { ...limits, anchors: false };
  if (isWebAddress(url)) {
    if (!settings.fetch) throw new ToolError("Reading web addresses is disabled.");
    const page = await fetchPage(url, { raw: selector.raw }, settings.fetch, context.signal);
    if (page.image) return { content: [{ type: "text" as const, text: page.notes.join("\n") }, page.image] };
    return printText(page.text, url, selector, bare, page.notes);
  }
  if (!context.schemes.includes(schemeOf(url)!)) {
    throw new ToolError(
      `There is no handler for ${schemeOf(url)}:// here. Known: ${context.schemes.join(", ") || "none"}.`,
    );
  }
  const content = await context.readUrl(url, context.signal);
  return printText(content.text, url, selector, bare, [...(content.notes ?? [])]);
}
