import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { AddProvider, ModelList, ProviderAdded, ProviderList, ProviderTest, ResolvedModel } from "./schema.ts";

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
  listProviders: {
    method: "GET",
    path: "/v1/models/providers",
    summary: "Lists the providers of models.yml and those with a credential, and the names that can be added.",
    status: 200,
    response: ProviderList,
    errors: [],
    client: "models.providers()",
  },
  addProvider: {
    method: "POST",
    path: "/v1/models/providers",
    summary:
      "Adds a provider to models.yml, or stores a key for a provider of the catalogue. The key goes into the credential store.",
    body: AddProvider,
    status: 200,
    response: ProviderAdded,
    errors: ["invalid"],
    client: "models.addProvider(body)",
  },
  testProvider: {
    method: "POST",
    path: "/v1/models/providers/:name/test",
    summary: "Tests a provider with one short request. This costs one short response.",
    status: 200,
    response: ProviderTest,
    errors: ["no_such_provider"],
    client: "models.testProvider(name)",
  },
  removeProvider: {
    method: "DELETE",
    path: "/v1/models/providers/:name",
    summary: "Removes a provider from models.yml, and its stored keys with `keys=1`. Logins in other files stay.",
    query: z.strictObject({ keys: toggle }),
    status: 200,
    response: z.object({ removed: z.boolean(), keys: z.number().int() }),
    errors: ["no_such_provider", "invalid"],
    client: "models.removeProvider(name, query?)",
  },
} as const satisfies Record<string, Route>;
