import type { InputRequest } from "@gantry/protocol";

/** How much harm a wrong approval could do: irreversible, limited, or none. */
export type Risk = "high" | "medium" | "low";

export type Rated = { risk: Risk; why: string };

/** Rates an input. `cwd` is the folder of its session; changes outside it are rated higher. */
export function riskOf(input: InputRequest, cwd: string): Rated {
  const { kind, tool, diff = [] } = input;
  if (kind === "permissions") return { risk: "high", why: "Requests more permissions" };
  if (kind !== "approval") return { risk: "low", why: kindNames[kind] };
  if (tool?.kind === "delete" || diff.some((change) => change.kind === "delete"))
    return { risk: "high", why: "Deletes files" };
  if (tool?.kind === "execute" || tool?.command !== undefined) return { risk: "high", why: "Runs a command" };
  const paths = diff.flatMap((change) => (change.to ? [change.path, change.to] : [change.path]));
  if (paths.some((path) => isOutside(path, cwd))) return { risk: "high", why: "Outside the folder" };
  return { risk: "medium", why: paths.length > 0 ? "Changes files" : "Uses a tool" };
}

const kindNames = { question: "Question", plan: "Plan", elicitation: "Form", login: "Login" } as const;

function isOutside(path: string, cwd: string): boolean {
  if (path.split("/").includes("..")) return true;
  return path.startsWith("/") && path !== cwd && !path.startsWith(`${cwd}/`);
}
