import type { Prepared, Tool, ToolOutput } from "../contract/tool.ts";
import type { Action } from "../permissions/action.ts";

/** The tool, with what is said about the files that a call has written. */
export function withAfterWriteCheck(tool: Tool, check: (path: string) => Promise<string | undefined>): Tool {
  return {
    ...tool,
    prepare(args, place): Prepared {
      const prepared = tool.prepare(args, place);
      if ("invalid" in prepared) return prepared;
      const paths = prepared.actions.flatMap((action: Action) => (action.kind === "file.write" ? [action.path] : []));
      return {
        ...prepared,
        async run(context): Promise<ToolOutput> {
          const output = await prepared.run(context);
          if (output.isError || context.signal.aborted) return output;
          const found = await Promise.all(paths.map(check));
          const words = found.filter((text) => text !== undefined).join("\n");
          return words === "" ? output : { ...output, content: [...output.content, { type: "text", text: words }] };
        },
      };
    },
  };
}
