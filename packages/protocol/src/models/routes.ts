import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { ModelList, ResolvedModel } from "./schema.ts";

const cwd = z.string().max(4096).startsWith("/", "must be an absolute path").optional();

const toggle = z.enum(["0", "1"]).optional();

/** The models of the built-in agent. */
export const modelRoutes = {
  listModels: {
    method: "GET",
    path: "/v1/models",
    summary:
      "Lists the models that are available in a folder (`all=1`: all known models), by provider and by vendor name, and the problems of models.yml.",
    query: z.strictObject({
      q: z.string().max(200).optional(),
      provider: z.string().max(200).optional(),
      all: toggle,
      refresh: toggle,
      cwd,
    }),
    status: 200,
    response: ModelList,
    errors: ["invalid"],
    client: "models.list(query?)",
  },
  resolveModel: {
    method: "GET",
    path: "/v1/models/resolve",
    summary: "Resolves a selector such as `claude-opus-4-8:high` or `gantry/executor`, with the reasons.",
    query: z.strictObject({ q: z.string().max(500), cwd }),
    status: 200,
    response: ResolvedModel,
    errors: ["invalid", "no_such_model"],
    client: "models.resolve(q, cwd?)",
  },
} as const satisfies Record<string, Route>;
