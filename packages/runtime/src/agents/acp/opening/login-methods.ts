import { compact, type Fields, fields, list, nonBlank } from "../../fields.ts";
import type { AuthMethod } from "../state.ts";

/** The advertised login methods. Methods without an id cannot be requested and are skipped. */
export function readMethods(value: unknown): AuthMethod[] {
  return list(value)
    .map((method) => readMethod(fields(method)))
    .filter(({ id }) => id !== "");
}

function readMethod(method: Fields): AuthMethod {
  const id = nonBlank(method.id) ?? nonBlank(method.methodId) ?? "";
  const how = loginKind(method);
  const variables = how === "variables" ? variablesOf(method) : [];
  return compact({
    id,
    name: nonBlank(method.name) ?? id,
    how,
    description: nonBlank(method.description),
    variables: variables.length > 0 ? variables : undefined,
  });
}

/** Some agents mark terminal logins under `_meta` or only in the description. */
function loginKind(method: Fields): AuthMethod["how"] {
  const meta = fields(method._meta);
  const types = [method.type, meta.type];
  if (types.includes("env_var")) return "variables";
  if (types.includes("terminal") || meta["terminal-auth"] !== undefined) return "terminal";
  return /\bin (the|a) terminal\b/i.test(nonBlank(method.description) ?? "") ? "terminal" : "agent";
}

function variablesOf({ vars, varName }: Fields): string[] {
  const names = list(vars).map((variable) => nonBlank(fields(variable).name));
  return [...names, nonBlank(varName)].filter((name) => name !== undefined);
}
