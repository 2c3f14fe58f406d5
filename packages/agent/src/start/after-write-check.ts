import type { Prepared, Tool, ToolOutput } from "../contract/tool.ts";
import type { Action } from "../permissions/action.ts";

/** Wraps a tool so that its result includes the check's output for each file that the call wrote. */
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
          const text = found.filter((each) => each !== undefined).join("\n");
          return text === "" ? output : { ...output, content: [...output.content, { type: "text", text }] };
        },
      };
    },
  };
}
