import { agentFolder } from "@gantry/models";
import type { ProviderPlace, ProviderRequest, ProviderTest } from "@gantry/models/providers";
import { pluralize, renderTable, stripControls } from "@gantry/terminal";
import type { Context } from "../../program/context.ts";
import { CommandError, environmentError, usageError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { readKey } from "../auth/auth.ts";
import { mark, withModels } from "./models.ts";

type AddFlags = {
  preset?: "minimax" | "minimax-cn" | "glm" | "zai" | "z-ai";
  url?: string;
  api?: string;
  model?: readonly string[];
  keyVariable?: string;
  key: boolean;
  keyless: boolean;
  noTest: boolean;
};
type NoFlags = Record<never, never>;

/** Models of a provider that are listed after it was added. */
const MOST_MODELS = 20;

/** Adds a provider to models.yml, stores its key on request, and tests it if it has one. */
export async function add(this: Context, flags: AddFlags, named?: string): Promise<void> {
  const { output } = this;
  const request = requestOf(flags, named);
  await withPlace(this, async (place) => {
    const { addProvider, planFor } = await import("@gantry/models/providers");
    const plan = planFor(place, request);
    if (!plan.ok) throw usageError(plan.message);
    const key = flags.key ? await readKey(this, plan.provider, `gantry models add ${request.name} --key`) : undefined;
    const added = await addProvider(place, request, key).catch((error: Error) => {
      throw environmentError("invalid", error.message);
    });
    const { provider, file, variable, identity, isNew } = added;
    const models = place.registry.all().filter((model) => model.provider === provider);
    const canTest = models.length === 0 ? plan.config?.discovery : models.some((model) => place.registry.ready(model));
    const test = canTest && !flags.noTest ? await runTest(place, provider) : undefined;
    if (output.json) {
      const ids = models.map(({ id }) => id);
      output.data({ ok: true, provider, variable, file, added: isNew, identity, models: ids, test });
    } else {
      const here = `${provider} is in ${file} already; the file is unchanged.`;
      if (plan.config) output.print(isNew ? `${provider} was added to ${file}.` : here);
      if (identity) output.print(`${provider}: the key is stored as ${stripControls(identity)}.`);
      for (const { id } of models.slice(0, MOST_MODELS)) output.print(`  ${stripControls(`${provider}/${id}`)}`);
      if (models.length > MOST_MODELS)
        output.print(`  and ${models.length - MOST_MODELS} more: gantry models list --provider ${provider} --all`);
      if (variable && !identity && !this.env[variable] && !place.credentials.has(provider))
        output.note(`The key is read from ${variable}, which is not set.`);
    }
    if (test) reportTest(this, provider, test, "The provider and its key were stored.");
  });
}

export async function remove(this: Context, _flags: NoFlags, provider: string): Promise<void> {
  const { output } = this;
  await withPlace(this, async (place) => {
    const { removeProvider } = await import("@gantry/models/providers");
    const { file, stored } = await removeProvider(place, provider).catch((error: Error) => {
      throw usageError(error.message, "See `gantry models providers`.");
    });
    if (output.json) return output.data({ provider, file, stored });
    output.print(`${provider} was removed from ${file}.`);
    if (stored > 0) output.note(`${pluralize(stored, "credential")} stayed. Remove: gantry auth logout ${provider}`);
  });
}

export async function test(this: Context, _flags: NoFlags, provider: string): Promise<void> {
  await withPlace(this, async (place) => {
    await place.registry.refresh("online");
    const result = await runTest(place, provider);
    if (this.output.json && result.ok) return this.output.data({ provider, ...result });
    reportTest(this, provider, result, "Nothing was changed.");
  });
}

export async function providers(this: Context): Promise<void> {
  const { output } = this;
  await withPlace(this, async (place) => {
    const { listProviders } = await import("@gantry/models/providers");
    const all = listProviders(place);
    if (output.json) return output.data({ providers: all });
    if (all.length === 0) return output.print("No providers yet. Add one: gantry models add --preset glm");
    const rows = all.map(({ provider, models, isReady, inFile, source }) => [
      mark(this, isReady),
      provider,
      String(models),
      inFile ? "models.yml" : "catalogue",
      stripControls(source ?? ""),
    ]);
    const columns = [" ", "PROVIDER", "MODELS", "FROM", "CREDENTIAL"].map((title) => ({ title }));
    output.print(renderTable(columns, rows, { header: output.paint.dim }));
  });
}

function requestOf({ preset, url, api, model, keyVariable, keyless }: AddFlags, named?: string): ProviderRequest {
  const name = preset ?? named;
  if (name === undefined || (preset !== undefined && named !== undefined))
    throw usageError(
      "Which provider?",
      "gantry models add --preset glm, or gantry models add <name> --url <url> --api <format>",
    );
  return {
    name,
    noKey: keyless,
    ...(url === undefined ? {} : { baseUrl: url }),
    ...(api === undefined ? {} : { api }),
    ...(model === undefined ? {} : { models: model }),
    ...(keyVariable === undefined ? {} : { keyVariable }),
  };
}

async function runTest(place: ProviderPlace, provider: string): Promise<ProviderTest> {
  const { testProvider } = await import("@gantry/models/providers");
  return testProvider(place, provider, new AbortController().signal);
}

function reportTest({ output }: Context, provider: string, result: ProviderTest, after: string): void {
  if (!result.ok) {
    const model = result.model === undefined ? "" : ` with ${result.model}`;
    const message = `The test of ${provider}${model} failed: ${stripControls(result.message)} ${after}`;
    throw new CommandError(exitCodes.failed, "provider_test_failed", message, {
      remedy: `Test again: gantry models test ${provider}`,
    });
  }
  if (!output.json) output.print(`${result.model} answered after ${result.ms} ms.`);
}

async function withPlace(context: Context, use: (place: ProviderPlace) => Promise<void>): Promise<void> {
  const env = { ...context.env, GANTRY_HOME: context.home };
  return withModels(context, (registry, credentials) =>
    use({ env, agentDir: agentFolder(env), registry, credentials }),
  );
}
