import type { FullModelRegistry, ModelListing, OpenCredentials, ProfilePreview } from "@gantry/models";
import { GantryError } from "@gantry/protocol";
import { formatTokens, pluralize, renderFacts, renderTable } from "@gantry/terminal";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

type ListFlags = { all: boolean; provider?: string; refresh: boolean };
type NoFlags = Record<never, never>;

/** Models by provider, each once. */
export async function list(this: Context, flags: ListFlags, pattern?: string): Promise<void> {
  const { output } = this;
  const { listModels } = await import("@gantry/models");
  const listing = await withModels(this, async (registry) => {
    if (flags.refresh) await registry.refresh("online");
    return listModels(registry, { q: pattern, provider: flags.provider, all: flags.all });
  });
  if (output.json) return output.data(listing);
  printProblems(this, listing.problems);
  if (listing.models.length === 0) return output.print(explainNoModels(listing, flags, pattern));
  output.print(modelLines(this, listing));
}

/** Which model a selector means, with the steps that led there. */
export async function resolve(this: Context, _flags: NoFlags, selector: string): Promise<void> {
  const { output } = this;
  const { describeModel } = await import("@gantry/models");
  const answer = await withModels(this, async (registry) => {
    const found = registry.resolve(selector);
    const problems = [...registry.problems()];
    if (found) return { query: selector, ...found, model: describeModel(registry, found.model), problems };
    const { why } = registry.explain(selector);
    throw new GantryError("no_such_model", `No model matches "${selector}". ${why.at(-1) ?? ""}`.trim(), {
      remedy: "See `gantry models --all`.",
      details: { why, problems },
    });
  });
  if (output.json) return output.data(answer);
  printProblems(this, answer.problems);
  const { model, thinking, why } = answer;
  output.print([
    `${mark(this, model.available)} ${output.paint.bold(model.selector)}`,
    ...renderFacts(
      [
        ["name", model.name],
        ["api", model.api],
        ["context", formatTokens(model.contextWindow)],
        ["thinking", thinking],
        ["levels", model.levels.join(" ")],
      ],
      output.paint.dim,
    ),
    ...why.map((line, at) => output.paint.dim(`${at + 1}. ${line}`)),
  ]);
}

/** All profiles, or what one of them gives to each role. */
export async function profiles(this: Context, _flags: NoFlags, name?: string): Promise<void> {
  const { output } = this;
  const found = await withModels(this, async (registry) => {
    if (name === undefined) return registry.profiles();
    const one = registry.profile(name);
    if (!one) throw usageError(`There is no profile "${name}".`, "See `gantry models profiles`.");
    return one;
  });
  if (Array.isArray(found)) {
    if (output.json) return output.data({ profiles: found.map(dropModelHeaders) });
    const rows = found.map((one) => [
      mark(this, one.missing.length === 0),
      one.name,
      one.source,
      one.missing.length > 0 ? `needs ${one.missing.join(", ")}` : "",
    ]);
    return output.print(
      renderTable([{ title: " " }, { title: "PROFILE" }, { title: "FROM" }, { title: "" }], rows, {
        header: output.paint.dim,
      }),
    );
  }
  if (output.json) return output.data(dropModelHeaders(found));
  const rows = found.roles.map(({ role, selector, model, asked, effective, problem }) => [
    role,
    model ? `${model.provider}/${model.id}` : selector,
    effective === asked ? (effective ?? "") : `${effective} (${asked} is not available)`,
    problem ?? "",
  ]);
  output.print([
    ...renderFacts(
      found.required.map(({ provider, ready }) => [
        provider,
        `${mark(this, ready)} ${ready ? "ready" : login(provider)}`,
      ]),
      output.paint.dim,
    ),
    ...renderTable([{ title: "ROLE" }, { title: "MODEL" }, { title: "THINKING" }, { title: "" }], rows, {
      header: output.paint.dim,
    }),
  ]);
}

/** The models for the current folder. Closes the stores on every way out. */
export async function withModels<T>(
  context: Context,
  use: (registry: FullModelRegistry, credentials: OpenCredentials) => Promise<T>,
): Promise<T> {
  const { openModels } = await import("@gantry/models");
  const { registry, credentials, close } = openModels({ home: context.home, cwd: process.cwd(), env: context.env });
  try {
    await credentials.ready();
    const { addExtensionModels } = await import("@gantry/agent/extension-models");
    const env = { ...context.env, GANTRY_HOME: context.home };
    for (const problem of await addExtensionModels(registry, { env, cwd: process.cwd() })) context.output.note(problem);
    return await use(registry, credentials);
  } finally {
    close();
  }
}

function printProblems({ output }: Context, problems: ModelListing["problems"]): void {
  for (const problem of problems)
    output.note(`${output.notePaint.yellow(place(problem))} ${problem.path}: ${problem.message}`);
}

function place({ file, line, column }: ModelListing["problems"][number]): string {
  return line === undefined ? file : `${file}:${line}:${column}`;
}

export function mark({ output }: Context, ready: boolean): string {
  return ready ? output.paint.green("✓") : output.paint.dim("✗");
}

/** One line per model. `NAME` is the maker's name, where the bare name resolves to this provider. */
function modelLines(context: Context, { canonical, models }: ModelListing): string[] {
  const names = new Map(canonical.map(({ id, selectors, chosen }) => [chosen ?? selectors[0], id]));
  const rows = models.map(({ available, selector, contextWindow, maxTokens, levels, input, cost }) => [
    mark(context, available),
    selector,
    names.get(selector) ?? "",
    formatTokens(contextWindow),
    formatTokens(maxTokens),
    levels.length > 1 ? `${levels[1]}–${levels.at(-1)}` : "–",
    input.includes("image") ? "yes" : "–",
    cost.input === 0 && cost.output === 0 ? "–" : `${cost.input}/${cost.output}`,
  ]);
  const titles = ["MODEL", "NAME", "CONTEXT", "OUTPUT", "THINKING", "IMAGES", "$/M"];
  const columns = [{ title: " " }, ...titles.map((title, at) => ({ title, shrink: at === 0 }))];
  return renderTable(columns, rows, { header: context.output.paint.dim, width: context.output.width?.() });
}

function explainNoModels({ providers }: ModelListing, { all, provider }: ListFlags, pattern?: string): string[] {
  const ready = providers.filter((one) => one.ready).map(({ id }) => id);
  const wanted = [pattern && `"${pattern}"`, provider && `provider ${provider}`].filter(Boolean).join(" of ");
  if (all || ready.length > 0) {
    return [
      `No model matches${wanted && ` ${wanted}`}.`,
      ...(all ? [] : ["Those of other providers: gantry models --all"]),
    ];
  }
  const count = providers.reduce((sum, { models }) => sum + models, 0);
  return [
    `${pluralize(count, "model")} of ${pluralize(providers.length, "provider")} are known, but you are not logged in to any of them.`,
    `  ${login("anthropic")}           log in, or store a key`,
    "  export OPENAI_API_KEY=…              or have a key in the environment",
    "  gantry models add --preset glm       or write a provider into models.yml",
    "  gantry models --all                  list all models",
  ];
}

function login(provider: string): string {
  return `gantry auth login ${provider}`;
}

/** Without models' headers, in which keys may stand. */
function dropModelHeaders({ roles, ...profile }: ProfilePreview) {
  const rows = roles.map(({ model, ...row }) => (model ? { ...row, model: `${model.provider}/${model.id}` } : row));
  return { ...profile, roles: rows };
}
