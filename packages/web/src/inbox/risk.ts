import type { InputRequest } from "@gantry/protocol";

/** How much harm a wrong approval could do: irreversible, limited, or none. */
export type Risk = "high" | "medium" | "low";

export type Rated = { risk: Risk; why: string };

const order: Record<Risk, number> = { high: 0, medium: 1, low: 2 };

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

/** The order of the inbox: highest risk first, then newest first. Ids are ordered by time. */
export function compareInputs(a: Ranked, b: Ranked): number {
  const difference = order[riskOf(a.input, a.cwd).risk] - order[riskOf(b.input, b.cwd).risk];
  if (difference !== 0) return difference;
  if (a.input.id === b.input.id) return 0;
  return a.input.id > b.input.id ? -1 : 1;
}

export type Ranked = { input: InputRequest; cwd: string };

function isOutside(path: string, cwd: string): boolean {
  if (path.split("/").includes("..")) return true;
  return path.startsWith("/") && path !== cwd && !path.startsWith(`${cwd}/`);
}
