// Measures parts of Gantry's own agent in a process that has not used them before, and prints the figures as JSON.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSecrets } from "../../../packages/agent/src/secrets/secrets.ts";
import { openSessionStore } from "../../../packages/agent/src/session-files/open.ts";
import { bundledCatalogue } from "../../../packages/models/src/catalogue/catalogue.ts";
import { createModelRegistry } from "../../../packages/models/src/registry/registry.ts";
import { median } from "../../measure.ts";

export type AgentFigures = {
  registryMs: number;
  catalogueMs: number;
  models: number;
  resolveMs: number;
  scanMs: number;
  openMs: number;
  branchMs: number;
  openParseMs: number;
  sealMs: number;
  replaceMs: number;
};

const ENTRIES = 10_000;
const SECRETS = 100;
const RUNS = 15;

const folder = mkdtempSync(join(tmpdir(), "gantry-bench-probe-"));
try {
  const figures: AgentFigures = { ...registry(), ...sessions(), ...(await secrets()) };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measureMs(work: () => unknown): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}

function medianOf(work: () => unknown): number {
  return median(Array.from({ length: RUNS }, () => measureMs(work)));
}

/** From an empty process to the first resolved model; then lookups among four thousand models. */
function registry() {
  const credentials = { has: (provider: string) => provider === "anthropic", get: async () => undefined };
  const options = { home: folder, cwd: folder, agentDir: folder, env: {}, credentials };
  const registryMs = measureMs(() => createModelRegistry(options).initial());
  const { providers, ...rest } = bundledCatalogue();
  const catalogueMs = medianOf(() => JSON.parse(JSON.stringify([...providers.values()])));
  const copies = ["", "-b", "-c"].flatMap((suffix) =>
    [...providers].map(([name, models]) => {
      const provider = `${name}${suffix}`;
      return [provider, models.map((model) => ({ ...model, provider }))] as const;
    }),
  );
  const large = createModelRegistry({ ...options, catalogue: { ...rest, providers: new Map(copies) } });
  const all = large.all();
  const last = all.at(-1);
  const selector = `${last?.provider}/${last?.id}`;
  const resolveMs = medianOf(() => large.resolve(selector));
  const scanMs = medianOf(() => all.find(({ provider, id }) => `${provider}/${id}` === selector));
  large.close();
  return { registryMs, catalogueMs, models: all.length, resolveMs, scanMs };
}

function sessions() {
  const file = join(folder, "large.jsonl");
  const id = (n: number) => n.toString(16).padStart(8, "0");
  const timestamp = "2026-11-16T09:00:00.000Z";
  const entries = Array.from({ length: ENTRIES }, (_, n) => {
    const message = { role: "user", content: `Line ${n}: ${'some "quoted" text\n'.repeat(60)}`, timestamp: n };
    return JSON.stringify({ type: "message", id: id(n), parentId: n ? id(n - 1) : null, timestamp, message });
  });
  const header = JSON.stringify({ type: "session", version: 3, id: "x", timestamp, cwd: folder });
  const text = `${[header, ...entries].join("\n")}\n`;
  writeFileSync(file, text);
  const open = () => openSessionStore(file, { agentDir: folder, readOnly: true });
  const openMs = medianOf(open);
  const store = open();
  const branchMs = measureMs(() => store.branch());
  return { openMs, branchMs, openParseMs: medianOf(() => text.split("\n").map((line) => line && JSON.parse(line))) };
}

async function secrets() {
  const values = Array.from({ length: SECRETS }, (_, n) => `sk-secret-${(n * 7919).toString(36)}-${n}-abcdef`);
  const vocabulary = "the quick brown fox jumps over the lazy dog and reads key=value pairs from /etc/config ".split(
    " ",
  );
  let text = "";
  for (let n = 0; text.length < 1 << 20; n += 1)
    text += n === 50_000 ? `${values[50]} ` : `${vocabulary[(n * 7 + (n >> 3)) % vocabulary.length]} `;
  const body = { messages: Array.from({ length: 64 }, (_, n) => ({ text: text.slice(n * 16_384, (n + 1) * 16_384) })) };
  const { seal } = await createSecrets({ enabled: true, env: {}, cwd: folder, agentDir: folder, values: () => values });
  const replace = () =>
    body.messages.map((each) => values.reduce((now, value) => now.replaceAll(value, "#"), each.text));
  return { sealMs: medianOf(() => seal(body)), replaceMs: medianOf(replace) };
}
