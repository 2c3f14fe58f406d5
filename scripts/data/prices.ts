// Writes the list prices that Gantry ships: `node scripts/bootstrap.mjs scripts/data/prices.ts [version]`. The data comes from
// the npm package @pydantic/genai-prices, which is downloaded into a temporary folder and is not a dependency: Gantry needs
// a twentieth of its half megabyte. Run it to update the prices. The file records the package's version and the date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../steps.ts";
import { withNpmPackage } from "./npm-package.ts";

const PACKAGE = "@pydantic/genai-prices";
const FILE = join(root, "packages/runtime/src/prices/prices.gen.json");
/** Providers whose models coding agents use, model makers first. A model name without a provider is looked up in this order. */
const MAKERS = ["anthropic", "openai", "google", "moonshotai", "x-ai", "deepseek", "mistral", "zai", "minimax"];
const HOSTS = ["groq", "cerebras"];

type Match = Record<string, unknown>;
type Tiered = number | { base: number } | undefined;
type Price = Record<string, Tiered>;
type Model = { id: string; match: Match; prices: Price | { constraint?: { start_date?: string }; prices: Price }[] };
type Provider = { models: Model[]; provider_match?: Match };
type Package = { findProvider(options: { providerId: string }): Provider | undefined };

const [requested = "latest"] = process.argv.slice(2);
await withNpmPackage(PACKAGE, requested, async ({ folder, version, license }) => {
  const prices = (await import(pathToFileURL(join(folder, "dist/index.js")).href)) as Package;
  const made = new Date().toISOString().slice(0, 10);
  const providers = [...MAKERS, ...HOSTS].map((id) => ({
    head: {
      id,
      maker: MAKERS.includes(id),
      match: matchProvider(id, prices.findProvider({ providerId: id })?.provider_match),
    },
    models: modelRows(prices, id, made),
  }));
  const head = { source: `${PACKAGE} ${version}`, license, made, unit: "US dollars for a million tokens" };
  const rows = providers.flatMap(({ head: provider, models: all }, index) => [
    `    ${JSON.stringify(provider).slice(0, -1)},"models":[`,
    all.map((model) => `      ${JSON.stringify(model)}`).join(",\n"),
    index === providers.length - 1 ? "    ]}" : "    ]},",
  ]);
  writeFileSync(
    FILE,
    `${JSON.stringify(head, undefined, 2).slice(0, -2)},\n  "providers": [\n${rows.join("\n")}\n  ]\n}\n`,
  );
  process.stdout.write(
    `Wrote ${providers.reduce((sum, { models: all }) => sum + all.length, 0)} prices of ${made} from ${PACKAGE} ${version}\n`,
  );
});

/** Matches the names that agents use for the provider: its id, and the aliases that the package lists. */
function matchProvider(id: string, match: Match | undefined): Match {
  return match ? { or: [{ equals: id }, match] } : { equals: id };
}

/** One row per model: name match, then the prices of input, output, cache read and cache write. */
function modelRows({ findProvider }: Package, providerId: string, today: string): unknown[] {
  const known = findProvider({ providerId })?.models ?? [];
  if (known.length === 0) throw new Error(`${PACKAGE} no longer lists ${providerId}`);
  return known.flatMap((model) => {
    const price = priceAt(model.prices, today);
    const [input, output] = [basePrice(price.input_mtok), basePrice(price.output_mtok)];
    if (input === undefined || output === undefined) return [];
    const cache = [basePrice(price.cache_read_mtok), basePrice(price.cache_write_mtok)].map((one) => one ?? null);
    return [[model.match, input, output, ...cache]];
  });
}

/** The price that applies on a date: the last one that started by then. */
function priceAt(prices: Model["prices"], today: string): Price {
  if (!Array.isArray(prices)) return prices;
  const started = prices.filter(({ constraint }) => (constraint?.start_date ?? "") <= today);
  return (started.at(-1) ?? prices[0])?.prices ?? {};
}

/** Higher tiers apply per request with a long context. A turn is many requests, and agents do not report their sizes. */
function basePrice(price: Tiered): number | undefined {
  return typeof price === "object" ? price.base : price;
}
