import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { FRESH_MS, RETRY_MS } from "../cache/model-cache.ts";
import { testRegistry } from "../registry/registry.harness.ts";

type Answer = { status?: number; body?: unknown; text?: string; hang?: boolean };
type Server = { url: string; asked: string[]; answers: Record<string, Answer>; last?: IncomingMessage };

/** A scripted server on loopback. */
async function serve(answers: Record<string, Answer>): Promise<Server> {
  const server: Server = { url: "", asked: [], answers };
  const http = createServer((request, response) => {
    const key = `${request.method} ${request.url}`;
    server.asked.push(key);
    server.last = request;
    const { status = 200, body, text, hang } = server.answers[key] ?? { status: 404, body: {} };
    if (hang) return;
    response.writeHead(status, { "content-type": "application/json" }).end(text ?? JSON.stringify(body));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  server.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return server;
}

/** No server listens on this URL. */
const NOWHERE = "http://127.0.0.1:9";
const QUIET = { OLLAMA_BASE_URL: NOWHERE, LLAMA_CPP_BASE_URL: NOWHERE, LM_STUDIO_BASE_URL: `${NOWHERE}/v1` };

describe("local model servers", () => {
  it("are found without configuration", async () => {
    const ollama = await serve({
      "GET /api/tags": { body: { models: [{ name: "qwen3:8b" }, { name: "embed" }, { name: "bare" }] } },
      "POST /api/show": {
        body: { capabilities: ["completion", "thinking", "vision"], model_info: { "qwen3.context_length": 40960 } },
      },
    });
    const llama = await serve({
      "GET /v1/models": { body: { data: [{ id: "ggml.gguf", meta: { n_ctx_train: 5 } }] } },
      "GET /props": { body: { default_generation_settings: { n_ctx: 8192 } } },
    });
    const studio = await serve({
      "GET /v1/models": { body: { data: [{ id: "one" }, { id: "vectors" }] } },
      "GET /api/v0/models": {
        body: {
          data: [
            { id: "one", type: "vlm", max_context_length: 4096 },
            { id: "vectors", type: "embeddings" },
          ],
        },
      },
    });
    const env = { OLLAMA_BASE_URL: ollama.url, LLAMA_CPP_BASE_URL: llama.url, LM_STUDIO_BASE_URL: `${studio.url}/v1` };
    const registry = testRegistry({}, { env });
    expect(registry.find("ollama", "qwen3:8b")).toBeUndefined();
    await registry.refresh();
    expect(registry.find("ollama", "qwen3:8b")).toMatchObject({
      api: "openai-responses",
      baseUrl: `${ollama.url}/v1`,
      contextWindow: 40960,
      reasoning: true,
      input: ["text", "image"],
      keyless: true,
    });
    expect(registry.find("llama.cpp", "ggml.gguf")).toMatchObject({ api: "openai-responses", contextWindow: 8192 });
    expect(registry.find("lm-studio", "one")).toMatchObject({ api: "openai-completions", contextWindow: 4096 });
    expect(registry.find("lm-studio", "vectors")).toBeUndefined();
    expect(registry.problems()).toEqual([]);
    expect(registry.resolve("qwen3:8b:high")).toMatchObject({ model: { id: "qwen3:8b" }, thinking: "high" });
  });

  it("that are absent cause no problem, no immediate retry and no delay", async () => {
    const hanging = await serve({ "GET /api/tags": { hang: true } });
    const registry = testRegistry({}, { env: { ...QUIET, OLLAMA_BASE_URL: hanging.url } });
    await registry.refresh();
    expect(registry.problems()).toEqual([]);
    await registry.refresh();
    expect(hanging.asked).toHaveLength(1);
    await registry.refresh("online");
    expect(hanging.asked).toHaveLength(2);
  });

  it("are not queried when disabled or offline", async () => {
    const ollama = await serve({ "GET /api/tags": { body: { models: [] } } });
    const env = { ...QUIET, OLLAMA_BASE_URL: ollama.url };
    await testRegistry({ config: "disabledProviders: [ollama]" }, { env }).refresh("online");
    await testRegistry({}, { env }).refresh("offline");
    expect(ollama.asked).toEqual([]);
  });
});

function configOf(url: string, more = ""): string {
  return `providers:\n  proxy:\n    baseUrl: ${url}/v1\n    apiKeyEnv: PROXY_KEY\n    api: openai-completions\n${more}    discovery: {type: openai-models-list}\n`;
}

describe("a configured provider", () => {
  const one = { "GET /v1/models": { body: { data: [{ id: "a", context_length: 1000 }] } } };

  it("is queried with its key, and its list is cached for two hours across runs", async () => {
    const server = await serve(one);
    let now = 1_000_000;
    const cacheFile = testRegistry().home.concat("/shared.db");
    const open = () =>
      testRegistry({ models: configOf(server.url) }, { env: { ...QUIET, PROXY_KEY: "k" }, cacheFile, now: () => now });
    const first = open();
    await first.refresh();
    expect(server.last?.headers.authorization).toBe("Bearer k");
    expect(first.find("proxy", "a")).toMatchObject({ contextWindow: 1000, maxTokens: 1000 });
    now += FRESH_MS - 1;
    const second = open();
    expect(second.find("proxy", "a")).toBeDefined();
    await second.refresh();
    expect(server.asked).toHaveLength(1);
    now += 1;
    server.answers = { "GET /v1/models": { body: { data: [{ id: "b" }] } } };
    await second.refresh();
    expect(second.find("proxy", "a")).toBeUndefined();
    expect(second.find("proxy", "b")).toBeDefined();
  });

  it.each([
    ["rejects the key", { status: 401, body: {} }, /status 401/],
    ["sends invalid JSON", { text: "<html>" }, /JSON/],
    ["sends another document", { body: { models: 7 } }, /not a list/],
  ])(
    "that %s is reported, keeps its known models, and is queried again after five minutes",
    async (_, answer, message) => {
      const server = await serve(one);
      let now = 1_000_000;
      const registry = testRegistry(
        { models: configOf(server.url) },
        { env: { ...QUIET, PROXY_KEY: "k" }, now: () => now },
      );
      await registry.refresh();
      server.answers = { "GET /v1/models": answer };
      let changes = 0;
      registry.onChange(() => changes++);
      await registry.refresh("online");
      expect(registry.problems()).toMatchObject([
        { path: "providers.proxy.discovery", message: expect.stringMatching(message) },
      ]);
      expect(changes).toBe(1);
      expect(registry.find("proxy", "a")).toBeDefined();
      server.answers = one;
      await registry.refresh();
      expect(registry.problems()).toHaveLength(1);
      now += RETRY_MS;
      await registry.refresh();
      expect(registry.problems()).toEqual([]);
    },
  );

  it("gets the file's overrides, and the catalogue's data for known models", async () => {
    const server = await serve({
      "GET /v1/models": { body: { data: [{ id: "gpt-5.5", context_length: 5 }, { id: "new" }] } },
    });
    const text = `providers:\n  openai:\n    baseUrl: ${server.url}/v1\n    apiKey: k\n    api: openai-completions\n    discovery: {type: openai-models-list}\n    modelOverrides: {new: {name: Renamed}}\n`;
    const registry = testRegistry({ models: text }, { env: QUIET });
    await registry.refresh();
    expect(registry.find("openai", "gpt-5.5")).toMatchObject({
      api: "openai-responses",
      contextWindow: 272000,
      baseUrl: `${server.url}/v1`,
    });
    expect(registry.find("openai", "new")).toMatchObject({ name: "Renamed", api: "openai-completions" });
  });

  it("is queried again after its URL changes", async () => {
    const [server, other] = [await serve(one), await serve({})];
    const cacheFile = testRegistry().home.concat("/shared.db");
    const env = { ...QUIET, PROXY_KEY: "k" };
    await testRegistry({ models: configOf(server.url) }, { env, cacheFile }).refresh();
    const moved = testRegistry({ models: configOf(other.url) }, { env, cacheFile });
    expect(moved.find("proxy", "a")).toBeUndefined();
  });

  it("is not waited for after an abort", async () => {
    const server = await serve({ "GET /v1/models": { hang: true } });
    const registry = testRegistry({ models: configOf(server.url) }, { env: { ...QUIET, PROXY_KEY: "k" } });
    const stop = new AbortController();
    const asked = registry.refresh("online", stop.signal);
    stop.abort();
    await asked;
    expect(registry.problems()).toEqual([]);
  });
});

describe("a provider of the catalogue", () => {
  it("is queried in its own format if it has a key, and adds models newer than the catalogue", async () => {
    const anthropic = await serve({
      "GET /v1/models?limit=1000": {
        body: { data: [{ id: "claude-next-9", display_name: "Claude Next" }, { id: "claude-3-haiku-20240307" }] },
      },
    });
    const google = await serve({
      "GET /models?pageSize=1000": {
        body: {
          models: [
            { name: "models/gemini-9-pro", inputTokenLimit: 99, outputTokenLimit: 9, thinking: true },
            { name: "models/text-embedding-9" },
          ],
        },
      },
    });
    const router = await serve({
      "GET /models": {
        body: {
          data: [
            {
              id: "maker/new",
              context_length: 5000,
              architecture: { input_modalities: ["text", "image"] },
              supported_parameters: ["tools", "reasoning"],
              pricing: { prompt: "0.000001", completion: "0.000002" },
            },
            { id: "maker/embedding-3" },
          ],
        },
      },
    });
    const groq = await serve({});
    const models = Object.entries({ anthropic, google, openrouter: router, groq }).map(
      ([provider, { url }]) => `  ${provider}: {baseUrl: "${url}"}\n`,
    );
    const registry = testRegistry(
      { models: `providers:\n${models.join("")}` },
      {
        env: QUIET,
        credentials: {
          has: (provider) => ["anthropic", "google", "openrouter"].includes(provider),
          get: async (provider) => ({ kind: "key", key: `key-of-${provider}` }),
        },
      },
    );
    const before = registry.all().length;
    await registry.refresh();
    expect(registry.problems()).toEqual([]);
    expect(registry.all()).toHaveLength(before + 3);
    expect(anthropic.last?.headers).toMatchObject({
      "x-api-key": "key-of-anthropic",
      "anthropic-version": "2023-06-01",
    });
    expect(google.last?.headers["x-goog-api-key"]).toBe("key-of-google");
    expect(router.last?.headers.authorization).toBe("Bearer key-of-openrouter");
    expect(groq.asked).toEqual([]);
    expect(registry.find("anthropic", "claude-next-9")).toMatchObject({
      name: "Claude Next",
      api: "anthropic-messages",
    });
    expect(registry.find("google", "gemini-9-pro")).toMatchObject({ contextWindow: 99, maxTokens: 9, reasoning: true });
    expect(registry.find("openrouter", "maker/new")).toMatchObject({
      api: "openai-completions",
      input: ["text", "image"],
      contextWindow: 5000,
      cost: { input: 1, output: 2 },
    });
  });
});
