import type { ToolChoice, ToolSpec } from "../../stream.ts";
import type { ResolvedCompat } from "./compat.ts";

/** What of a wish for tools goes over the wire; `undefined`: nothing is said. */
export type GrantedChoice = { choice?: ToolChoice; tools: readonly ToolSpec[] };

/**
 * Fits a wish into what an endpoint knows. One tool by name becomes `required` with that tool alone where names are not
 * understood, and `auto` where force is not.
 */
export function grantChoice(
  compat: Pick<ResolvedCompat, "supportsToolChoice" | "supportsForcedToolChoice" | "toolChoiceSupport">,
  wish: ToolChoice | undefined,
  tools: readonly ToolSpec[],
): GrantedChoice {
  if (wish === undefined || tools.length === 0) return { tools };
  const support = compat.supportsToolChoice ? compat.toolChoiceSupport : "none";
  if (support === "none") return { tools: wish === "none" ? [] : tools };
  const forced = wish === "required" || typeof wish === "object";
  if (forced && (support === "auto" || !compat.supportsForcedToolChoice)) return { choice: "auto", tools };
  if (typeof wish === "object" && support === "required") {
    const named = tools.filter((tool) => tool.name === wish.name);
    return { choice: "required", tools: named.length > 0 ? named : tools };
  }
  return { choice: wish, tools };
}

export function isForced(choice: ToolChoice | undefined): boolean {
  return choice === "required" || typeof choice === "object";
}
