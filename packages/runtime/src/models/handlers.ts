import type { Handlers } from "../server/handler.ts";
import type { ModelService } from "./models.ts";
import type { ProviderService } from "./providers.ts";

type ModelHandlers = Pick<Handlers, "listModels" | "resolveModel">;
type ProviderHandlers = Pick<Handlers, "listProviders" | "addProvider" | "testProvider" | "removeProvider">;

export function modelHandlers(models: ModelService): ModelHandlers {
  return {
    listModels: async ({ query: { all, refresh, ...query } }) => ({
      json: await models.list({ ...query, all: all === "1", refresh: refresh === "1" }),
    }),
    resolveModel: async ({ query }) => ({ json: await models.resolve(query.q, query.cwd) }),
  };
}

export function providerHandlers(providers: ProviderService): ProviderHandlers {
  return {
    listProviders: async () => ({ json: await providers.providers() }),
    addProvider: async ({ body }) => ({ json: await providers.addProvider(body) }),
    testProvider: async ({ params }) => ({ json: await providers.testProvider(params.name) }),
    removeProvider: async ({ params, query }) => ({
      json: await providers.removeProvider(params.name, query.keys === "1"),
    }),
  };
}
