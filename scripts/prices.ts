// Writes the list prices that Gantry comes with: `node scripts/bootstrap.mjs scripts/prices.ts [version]`. They are taken
// from the npm package @pydantic/genai-prices, which is fetched into a temporary folder and is no dependency: of its half
// a megabyte a twentieth is needed. Run it to have newer prices; the file says what it was made from, and when.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./steps.ts";

const PACKAGE = "@pydantic/genai-prices";
const FILE = join(root, "packages/runtime/src/prices/prices.gen.json");
/** Whose models coding agents are run with, those that make them first: a name without a provider is looked up in this order. */
const MAKERS = ["anthropic", "openai", "google", "moonshotai", "x-ai", "deepseek", "mistral", "zai", "minimax"];
const HOSTS = ["groq", "cerebras"];

type Match = Record<string, unknown>;
type Tiered = number | { base: number } | undefined;
type Price = Record<string, Tiered>;
type Model = { id: string; match: Match; prices: Price | { constraint?: { start_date?: string }; prices: Price }[] };
type Provider = { models: Model[]; provider_match?: Match };
type Package = { findProvider(options: { providerId: string }): Provider | undefined };

const folder = mkdtempSync(join(tmpdir(), "gantry-prices-"));
try {
  const [version = "latest"] = process.argv.slice(2);
  execFileSync("npm", [
    "install",
    "--silent",
    "--no-save",
    "--ignore-scripts",
    "--prefix",
    folder,
    `${PACKAGE}@${version}`,
  ]);
  const home = join(folder, "node_modules", PACKAGE);
  const { version: found, license = "MIT" } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
  const prices = (await import(pathToFileURL(join(home, "dist/index.js")).href)) as Package;
  const made = new Date().toISOString().slice(0, 10);
  const providers = [...MAKERS, ...HOSTS].map((id) => ({
    head: {
      id,
      maker: MAKERS.includes(id),
      match: called(id, prices.findProvider({ providerId: id })?.provider_match),
    },
    models: models(prices, id, made),
  }));
  const head = { source: `${PACKAGE} ${found}`, license, made, unit: "US dollars for a million tokens" };
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
    `${providers.reduce((sum, { models: all }) => sum + all.length, 0)} prices of ${made} from ${PACKAGE} ${found}\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** What agents call the provider: its id, or what the package knows. */
function called(id: string, match: Match | undefined): Match {
  return match ? { or: [{ equals: id }, match] } : { equals: id };
}

/** A model as a row: how it is called, then what input, output, reading from and writing to the cache cost. */
function models({ findProvider }: Package, providerId: string, today: string): unknown[] {
  const known = findProvider({ providerId })?.models ?? [];
  if (known.length === 0) throw new Error(`${PACKAGE} knows no ${providerId} any more`);
  return known.flatMap((model) => {
    const price = current(model.prices, today);
    const [input, output] = [base(price.input_mtok), base(price.output_mtok)];
    if (input === undefined || output === undefined) return [];
    const cache = [base(price.cache_read_mtok), base(price.cache_write_mtok)].map((one) => one ?? null);
    return [[model.match, input, output, ...cache]];
  });
}

/** The price that is in force: the last one that has begun. */
function current(prices: Model["prices"], today: string): Price {
  if (!Array.isArray(prices)) return prices;
  const begun = prices.filter(({ constraint }) => (constraint?.start_date ?? "") <= today);
  return (begun.at(-1) ?? prices[0])?.prices ?? {};
}

/** Dearer tiers are for single requests with a long context; a turn is many requests, and which of them was long nobody tells. */
function base(price: Tiered): number | undefined {
  return typeof price === "object" ? price.base : price;
}
