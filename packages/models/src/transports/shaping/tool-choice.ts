import type { ToolChoice, ToolSpec } from "../../stream.ts";
import type { ResolvedCompat } from "./compat.ts";

/** The tool choice to send; `undefined`: send none. */
export type SupportedChoice = { choice?: ToolChoice; tools: readonly ToolSpec[] };

/**
 * Maps a tool choice to what the endpoint supports. A named tool becomes `required` with only that tool if names are not
 * supported, and `auto` if forcing is not supported.
 */
export function supportedChoice(
  compat: Pick<ResolvedCompat, "supportsToolChoice" | "supportsForcedToolChoice" | "toolChoiceSupport">,
  requested: ToolChoice | undefined,
  tools: readonly ToolSpec[],
): SupportedChoice {
  if (requested === undefined || tools.length === 0) return { tools };
  const support = compat.supportsToolChoice ? compat.toolChoiceSupport : "none";
  if (support === "none") return { tools: requested === "none" ? [] : tools };
  const forced = requested === "required" || typeof requested === "object";
  if (forced && (support === "auto" || !compat.supportsForcedToolChoice)) return { choice: "auto", tools };
  if (typeof requested === "object" && support === "required") {
    const matching = tools.filter((tool) => tool.name === requested.name);
    return { choice: "required", tools: matching.length > 0 ? matching : tools };
  }
  return { choice: requested, tools };
}

export function isForced(choice: ToolChoice | undefined): boolean {
  return choice === "required" || typeof choice === "object";
}
