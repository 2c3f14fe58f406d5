import type { Model } from "../../model.ts";
import type { Credential, ModelRequest } from "../../stream.ts";
import { bearerHeaders, secretOf } from "../shaping/auth-headers.ts";
import { join } from "../shaping/body.ts";
import { readSetting, type Transport } from "../transport.ts";
import { responseReader } from "./reader.ts";
import { responseBody } from "./request.ts";

/** OpenAI's models on Azure, which identifies a model by its deployment name. */
export const azureOpenaiResponses: Transport = {
  framing: "sse",
  prepare(model, request) {
    const url = new URL(join(azureBase(model, request), "responses"));
    url.searchParams.set("api-version", readSetting(request, "AZURE_OPENAI_API_VERSION") ?? "v1");
    return {
      url: url.href,
      headers: { accept: "text/event-stream", ...azureAuth(request.credential) },
      body: responseBody({ ...model, wireModelId: deploymentOf(model, request) }, request),
    };
  },
  reader: (assembly) => responseReader(assembly),
};

function azureAuth(credential: Credential): Record<string, string> {
  const key = secretOf(credential);
  if (!key) return {};
  return credential.kind === "oauth" ? bearerHeaders(credential) : { "api-key": key };
}

/** The model's `wireModelId`, else from `AZURE_OPENAI_DEPLOYMENT_NAME_MAP` (`model=deployment,…`). */
function deploymentOf(model: Model, request: ModelRequest): string {
  const map = readSetting(request, "AZURE_OPENAI_DEPLOYMENT_NAME_MAP") ?? "";
  const rows = map.split(",").map((row) => row.split("=").map((part) => part.trim()));
  return model.wireModelId ?? (rows.find(([id]) => id === model.id)?.[1] || model.id);
}

function azureBase(model: Model, request: ModelRequest): string {
  const resource = readSetting(request, "AZURE_OPENAI_RESOURCE_NAME");
  const resourceUrl = resource ? `https://${resource}.openai.azure.com/openai/v1` : undefined;
  const base = model.baseUrl || readSetting(request, "AZURE_OPENAI_BASE_URL") || resourceUrl;
  if (!base)
    throw new Error("Azure OpenAI needs a base URL: set baseUrl, AZURE_OPENAI_BASE_URL or AZURE_OPENAI_RESOURCE_NAME.");
  const url = new URL(base);
  if (/\.azure\.com$/.test(url.hostname) && (url.pathname === "/" || /^\/openai\/?$/.test(url.pathname))) {
    url.pathname = "/openai/v1";
  }
  return url.href;
}
