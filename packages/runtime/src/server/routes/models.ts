import type { ModelService } from "../../models/models.ts";
import type { Handlers } from "../handler.ts";

type ModelRoutes = Pick<Handlers, "listModels" | "resolveModel">;

export function modelRoutes(models: ModelService): ModelRoutes {
  return {
    listModels: async ({ query: { all, refresh, ...query } }) => ({
      json: await models.list({ ...query, all: all === "1", refresh: refresh === "1" }),
    }),
    resolveModel: async ({ query }) => ({ json: await models.resolve(query.q, query.cwd) }),
  };
}
