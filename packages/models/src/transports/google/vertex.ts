import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import { bearerHeaders } from "../shaping/auth-headers.ts";
import { join, wireId } from "../shaping/body.ts";
import { readSetting, type Transport } from "../transport.ts";
import { googleReader } from "./reader.ts";
import { googleBody } from "./request.ts";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";

/** Gemini on Vertex AI, with a key, a token, or Google's application default credentials. */
export const googleVertex: Transport = {
  framing: "sse",
  async prepare(model, request) {
    const { headers, project } = await authenticate(request);
    const path = `publishers/google/models/${encodeURIComponent(wireId(model))}:streamGenerateContent?alt=sse`;
    const location =
      readSetting(request, "GOOGLE_CLOUD_LOCATION") ?? readSetting(request, "GOOGLE_CLOUD_REGION") ?? "global";
    const base = vertexBase(model, location);
    const scope = project ? `projects/${project}/locations/${location}/` : "";
    return {
      url: join(base, scope + path),
      headers: { accept: "text/event-stream", ...headers },
      body: googleBody(model, request),
    };
  },
  reader: (assembly) => googleReader(assembly),
};

function vertexBase(model: Model, location: string): string {
  const host = location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  const base = (model.baseUrl || `https://${host}`).replaceAll("{location}", location);
  return /\/v\d+\w*\/?$/.test(base) ? base : join(base, "v1");
}

/** A key implies its project. A token needs an explicit project. */
async function authenticate(request: ModelRequest): Promise<{ headers: Record<string, string>; project?: string }> {
  const { credential } = request;
  if (credential.kind === "key") return { headers: { "x-goog-api-key": credential.key } };
  const configured = readSetting(request, "GOOGLE_CLOUD_PROJECT") ?? readSetting(request, "GCLOUD_PROJECT");
  if (credential.kind === "oauth")
    return { headers: bearerHeaders(credential), project: requireProject(credential.projectId ?? configured) };
  if (credential.kind === "none") return { headers: {}, project: requireProject(configured) };
  const { GoogleAuth } = await import("google-auth-library");
  const file = readSetting(request, "GOOGLE_APPLICATION_CREDENTIALS");
  const auth = new GoogleAuth({ scopes: [SCOPE], ...(file ? { keyFilename: file } : {}) });
  const token = await auth.getAccessToken();
  if (!token) throw new Error("Google's credentials returned no token. Run `gcloud auth application-default login`.");
  return {
    headers: { authorization: `Bearer ${token}` },
    project: requireProject(configured ?? (await auth.getProjectId())),
  };
}

function requireProject(project: string | undefined): string {
  if (project) return project;
  throw new Error("Vertex AI needs a project: set GOOGLE_CLOUD_PROJECT.");
}
