import type { ServerResponse } from "node:http";
import type { Json } from "../json.ts";

const MODELS = ["scripted-model", "scripted-mini", "claude-sonnet-4-5", "gpt-5-codex"];

/** Answers requests other than for a reply: model lists, token counts, probes. */
export function answerOther(method: string, path: string, response: ServerResponse): void {
  const body = bodyFor(method, path);
  const missing = { type: "not_found_error", message: `The scripted model has no route ${method} ${path}` };
  response.writeHead(body ? 200 : 404, { "content-type": "application/json" });
  response.end(JSON.stringify(body ?? { type: "error", error: missing }));
}

function bodyFor(method: string, path: string): Json | null {
  if (path.endsWith("/messages/count_tokens")) return { input_tokens: 1234 };
  if (path.endsWith(":countTokens")) return { totalTokens: 1234 };
  if (/:(embedContent|batchEmbedContents)$/.test(path)) {
    return { embedding: { values: [0.1, 0.2] }, embeddings: [{ values: [0.1, 0.2] }] };
  }
  if (path.endsWith(":loadCodeAssist")) {
    return { currentTier: { id: "standard-tier" }, cloudaicompanionProject: "scripted" };
  }
  if (/\/models\/?$/.test(path) && method === "GET") return modelList(path);
  if (method === "POST" && Object.hasOwn(AUGMENT, path)) return AUGMENT[path] ?? null;
  return method === "HEAD" || path === "/" ? {} : null;
}

/** Augment's requests other than the conversation. The flags contain the models as text. */
const AUGMENT: Record<string, Json> = {
  "/get-models": {
    default_model: "scripted-model",
    models: [],
    languages: [],
    feature_flags: {
      model_info_registry: JSON.stringify(
        Object.fromEntries(
          ["scripted-model", "scripted-mini"].map((id) => [
            id,
            { displayName: id, shortName: id, isDefault: id === "scripted-model" },
          ]),
        ),
      ),
    },
  },
  "/agents/list-remote-tools": { tools: [] },
  "/settings/get-mcp-tenant-configs": {},
  "/settings/get-mcp-user-configs": {},
  "/find-missing": { unknown_memory_names: [], nonindexed_blob_names: [] },
  "/batch-upload": { blob_names: [] },
};

function modelList(path: string): Json {
  if (path.includes("v1beta")) {
    const models = MODELS.map((id) => ({
      name: `models/${id}`,
      displayName: id,
      supportedGenerationMethods: ["generateContent"],
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
    }));
    return { models };
  }
  const data = MODELS.map((id) => ({
    id,
    object: "model",
    type: "model",
    display_name: id,
    owned_by: "scripted",
    created: 1,
    created_at: "2025-01-01T00:00:00Z",
    context_length: 262_144,
  }));
  return { object: "list", data, has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) };
}
