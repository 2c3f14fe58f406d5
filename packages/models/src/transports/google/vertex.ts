import type { Model } from "../../model.ts";
import type { ModelRequest } from "../../stream.ts";
import { bearer } from "../shaping/auth-headers.ts";
import { join, wireId } from "../shaping/body.ts";
import { setting, type Transport } from "../transport.ts";
import { googleReader } from "./reader.ts";
import { googleBody } from "./request.ts";

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";

/** Gemini at Vertex AI: by a key, by a token, or by whoever Google's own tools are logged in as. */
export const googleVertex: Transport = {
  framing: "sse",
  async prepare(model, request) {
    const { headers, project } = await who(request);
    const path = `publishers/google/models/${encodeURIComponent(wireId(model))}:streamGenerateContent?alt=sse`;
    const location = setting(request, "GOOGLE_CLOUD_LOCATION") ?? setting(request, "GOOGLE_CLOUD_REGION") ?? "global";
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

/** A key belongs to a project by itself; whoever comes with a token has to name one. */
async function who(request: ModelRequest): Promise<{ headers: Record<string, string>; project?: string }> {
  const { credential } = request;
  if (credential.kind === "key") return { headers: { "x-goog-api-key": credential.key } };
  const named = setting(request, "GOOGLE_CLOUD_PROJECT") ?? setting(request, "GCLOUD_PROJECT");
  if (credential.kind === "oauth") return { headers: bearer(credential), project: need(credential.projectId ?? named) };
  if (credential.kind === "none") return { headers: {}, project: need(named) };
  const { GoogleAuth } = await import("google-auth-library");
  const file = setting(request, "GOOGLE_APPLICATION_CREDENTIALS");
  const auth = new GoogleAuth({ scopes: [SCOPE], ...(file ? { keyFilename: file } : {}) });
  const token = await auth.getAccessToken();
  if (!token) throw new Error("Google's credentials gave no token. Run `gcloud auth application-default login`.");
  return { headers: { authorization: `Bearer ${token}` }, project: need(named ?? (await auth.getProjectId())) };
}

function need(project: string | undefined): string {
  if (project) return project;
  throw new Error("Vertex AI needs a project: set GOOGLE_CLOUD_PROJECT.");
}
