import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { ModelList, ResolvedModel } from "./schema.ts";

const cwd = z.string().max(4096).startsWith("/", "must be an absolute path").optional();

const toggle = z.enum(["0", "1"]).optional();

/** The models of Gantry's own agent. */
export const modelRoutes = {
  listModels: {
    method: "GET",
    path: "/v1/models",
    summary:
      "Models that are available in a folder (`all=1`: all there are), by provider and by their makers' names, and what is wrong with models.yml.",
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
    summary: "What a selector such as `claude-opus-4-8:high` or `gantry/executor` means, and why.",
    query: z.strictObject({ q: z.string().max(500), cwd }),
    status: 200,
    response: ResolvedModel,
    errors: ["invalid", "no_such_model"],
    client: "models.resolve(q, cwd?)",
  },
} as const satisfies Record<string, Route>;
