import type { Handlers } from "../server/handler.ts";
import type { ModelService } from "./models.ts";

type ModelHandlers = Pick<Handlers, "listModels" | "resolveModel">;

export function modelHandlers(models: ModelService): ModelHandlers {
  return {
    listModels: async ({ query: { all, refresh, ...query } }) => ({
      json: await models.list({ ...query, all: all === "1", refresh: refresh === "1" }),
    }),
    resolveModel: async ({ query }) => ({ json: await models.resolve(query.q, query.cwd) }),
  };
}
