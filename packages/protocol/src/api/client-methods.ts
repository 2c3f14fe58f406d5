import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { pathParams } from "./params.ts";
import { routes } from "./routes.ts";

type Method = { group: string; source: string };

/** `methods.gen.ts` of the client: one function for each `client` entry of the route table. */
export function clientMethods(): string {
  const methods = Object.entries(routes as Record<string, Route>).flatMap(([name, route]) =>
    [route.client ?? []].flat().map((signature) => compileMethod(name, route, signature)),
  );
  const groups = Map.groupBy(methods, ({ group }) => group);
  const blocks = [...groups].map(([group, members]) => {
    const lines = members.map(({ source }) => source.replace(/^/gm, group === "" ? "    " : "      ")).join("\n");
    return group === "" ? lines : `    ${group}: {\n${lines}\n    },`;
  });
  return `// Generated from the route table by \`npm run generate\`.
import type { RouteBodyInput, RouteQuery } from "@gantry/protocol";
import type { CallRoute } from "./call.ts";

type Fields<T> = Required<NonNullable<T>>;

/** The methods of the client that map to one call each. They throw \`GantryError\`. */
export function createMethods(call: CallRoute) {
  return {
${blocks.join("\n")}
  };
}
`;
}

function compileMethod(route: string, row: Route, signature: string): Method {
  const match = /^(?:(\w+)\.)?(\w+)\((.*?)\)(?: > (\w+))?$/.exec(signature);
  if (!match) throw new Error(`${route}: cannot read the client method ${signature}`);
  const [, group = "", name = "", list = "", field] = match;
  const args = list.split(", ").filter((argument) => argument !== "");
  const compiled = args.map((argument) => compileArgument(route, row, argument));
  const input = compileInput(compiled);
  const call = `call("${route}"${input === "" ? "" : `, ${input}`})`;
  const result = field === undefined ? call : `(await ${call}).${field}`;
  const parameters = compiled.map(({ parameter }) => parameter).join(", ");
  const source = `/** ${row.summary} */\n${name}: ${field === undefined ? "" : "async "}(${parameters}) => ${result},`;
  return { group, source };
}

type Argument = { part: "params" | "query" | "body" | "signal"; parameter: string; value: string; whole: boolean };

function compileArgument(route: string, row: Route, text: string): Argument {
  const match = /^(\w+)(\?|=.+)?$/.exec(text);
  if (!match) throw new Error(`${route}: cannot read the argument ${text}`);
  const [, name = "", suffix = ""] = match;
  const optional = suffix === "?" ? "?" : "";
  if (name === "signal") return { part: "signal", parameter: "signal?: AbortSignal", value: "signal", whole: true };
  if (name === "query" || name === "body") {
    const type = name === "query" ? `RouteQuery<"${route}">` : `RouteBodyInput<"${route}">`;
    return { part: name, parameter: `${name}: ${type}${optional ? " = {}" : ""}`, value: name, whole: true };
  }
  if (pathParams(row.path).some((param) => param.name === name))
    return { part: "params", parameter: `${name}: string`, value: name, whole: false };
  const part = name in (row.query?.shape ?? {}) ? "query" : "body";
  if (suffix === "=false" || suffix === "=true")
    return {
      part,
      parameter: `${name} ${suffix.replace("=", "= ")}`,
      value: `${name}: ${name} ? "1" : "0"`,
      whole: false,
    };
  if (part === "body" && !(row.body instanceof z.ZodObject && name in row.body.shape))
    throw new Error(`${route}: neither query nor body has ${name}`);
  const type = part === "query" ? `RouteQuery<"${route}">` : `RouteBodyInput<"${route}">`;
  const initial = suffix.startsWith("=") ? ` = ${suffix.slice(1)}` : "";
  const declared = optional ? `NonNullable<${type}>["${name}"]` : `Fields<${type}>["${name}"]`;
  return { part, parameter: `${name}${optional}: ${declared}${initial}`, value: name, whole: false };
}

function compileInput(args: readonly Argument[]): string {
  const parts = Map.groupBy(args, ({ part }) => part);
  const fields = [...parts].map(([part, members]) =>
    members[0]?.whole ? part : `${part}: { ${members.map(({ value }) => value).join(", ")} }`,
  );
  return fields.length === 0 ? "" : `{ ${fields.join(", ")} }`;
}
