import type { Route } from "../routing/route.ts";
import { clientMethods } from "./client-methods.ts";
import { eventSchemas, openApiDocument } from "./openapi.ts";
import { routes } from "./routes.ts";

/** The committed files that are generated from the route and event tables. Paths are relative to this package. */
export function generatedFiles(): { path: string; text: string }[] {
  const text = (document: Record<string, unknown>) => `${JSON.stringify(document, null, 2)}\n`;
  return [
    { path: "schema/openapi.gen.json", text: text(openApiDocument("1")) },
    { path: "schema/events.gen.json", text: text(eventSchemas()) },
    { path: "src/api/calls.gen.ts", text: callTable() },
    { path: "../client/src/methods.gen.ts", text: clientMethods() },
  ];
}

/** The route table without its schemas: routing and calls work before Zod is loaded. */
function callTable(): string {
  const rows = Object.entries(routes as Record<string, Route>).map(([name, route]) => {
    const { method, path, status, query, open, upload, agent } = route;
    const optional = Object.entries({ query: query !== undefined, open, upload, agent }).filter(([, value]) => value);
    const fields = Object.entries({ method, path, status, ...Object.fromEntries(optional) });
    return `  ${name}: { ${fields.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(", ")} },`;
  });
  return `/** Generated from the route table by \`npm run generate\`. */\nexport const calls = {\n${rows.join("\n")}\n} as const;\n`;
}
