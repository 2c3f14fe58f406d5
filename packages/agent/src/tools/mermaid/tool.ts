import { z } from "zod";
import { type Tool, ToolError } from "../../contract/tool.ts";
import { defineTool, messageOf, textOutput } from "../define.ts";

const schema = () =>
  z.object({
    mermaid: z.string().min(1).describe("Mermaid source"),
    config: z
      .object({
        useAscii: z.boolean().optional().describe("plain ASCII instead of box-drawing characters"),
        paddingX: z.number().int().min(0).max(40).optional(),
        paddingY: z.number().int().min(0).max(40).optional(),
        boxBorderPadding: z.number().int().min(0).max(20).optional(),
      })
      .optional(),
  });

export function mermaidTool(): Tool {
  return defineTool({
    name: "render_mermaid",
    label: "Render Mermaid",
    description: "Draws a Mermaid diagram as text. Best for flowcharts and small diagrams.",
    schema,
    actions: () => [{ kind: "inner" }],
    run: async ({ mermaid, config = {} }, context) => {
      const { renderMermaidASCII } = await import("beautiful-mermaid");
      const { useAscii, paddingX, paddingY, boxBorderPadding } = config;
      let drawn: string;
      try {
        drawn = renderMermaidASCII(mermaid, {
          colorMode: "none",
          ...(useAscii !== undefined && { useAscii }),
          ...(paddingX !== undefined && { paddingX }),
          ...(paddingY !== undefined && { paddingY }),
          ...(boxBorderPadding !== undefined && { boxBorderPadding }),
        });
      } catch (error) {
        throw new ToolError(`The diagram cannot be drawn: ${messageOf(error)}`);
      }
      const artifact = await context.keep(drawn, "render_mermaid");
      return textOutput(`${drawn}\n\n[${artifact}]`, { artifact });
    },
  });
}
