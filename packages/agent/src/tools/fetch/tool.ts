import { z } from "zod";
import { type Tool, ToolError } from "../../contract/tool.ts";
import { defineTool } from "../define.ts";
import { printText } from "../read/file.ts";
import { READ_LIMITS } from "../read/window.ts";
import { isWebAddress, urlAction } from "../urls/address.ts";
import { type FetchSettings, fetchPage } from "./page.ts";

const schema = () =>
  z.object({
    url: z.string().min(1).describe("http or https address"),
    raw: z.boolean().optional().describe("return the raw answer instead of Markdown"),
    timeout: z.number().min(1).max(45).optional().describe("seconds, default 20"),
  });

export function fetchTool(settings: FetchSettings = {}): Tool {
  return defineTool({
    name: "fetch",
    label: "Fetch",
    description:
      "Reads an http(s) address. HTML becomes Markdown, JSON is indented, images are returned as images. A redirect to another host is reported and not followed.",
    schema,
    title: ({ url }) => `Fetch ${url}`,
    actions: ({ url }) => {
      if (!isWebAddress(url)) throw new ToolError("Only http and https addresses can be fetched.");
      return [urlAction(url, "read", settings.allow)];
    },
    run: async ({ url, raw = false, timeout }, context) => {
      const options = { raw, ...(timeout && { timeoutMs: timeout * 1000 }) };
      const page = await fetchPage(url, options, settings, context.signal);
      if (page.image) return { content: [{ type: "text", text: page.notes.join("\n") }, page.image] };
      const limits = { ...READ_LIMITS, defaultLines: READ_LIMITS.maxLines };
      const shown = printText(page.text, url, { raw: true, ranges: [] }, limits, page.notes);
      const whole = Buffer.byteLength(page.text) > limits.maxBytes;
      if (!whole) return shown;
      const address = await context.keep(page.text, "fetch");
      return { ...shown, content: [...shown.content, { type: "text", text: `[The whole text: ${address}]` }] };
    },
  });
}
