import type { ModelRequest } from "../../stream.ts";
import { asObject, asText, type Json, parseJson } from "../json.ts";
import { bearerHeaders, secretOf } from "../shaping/auth-headers.ts";
import { join, wireId, withExtras } from "../shaping/body.ts";
import { readSetting, type Transport } from "../transport.ts";
import { googleReader } from "./reader.ts";
import { googleFields } from "./request.ts";

const BASE = "https://cloudcode-pa.googleapis.com";
const LOOKUP_MS = 15_000;

/**
 * Gemini through Cloud Code Assist, with the token of a Google login. A key is sent as such a token, too. Requests and responses are those of the other Google
 * formats, each in an envelope.
 */
export const googleGeminiCli: Transport = {
  framing: "sse",
  async prepare(model, request) {
    const base = model.baseUrl || BASE;
    return {
      url: join(base, "v1internal:streamGenerateContent?alt=sse"),
      headers: { accept: "text/event-stream", ...bearerHeaders(request.credential) },
      body: withExtras(
        {
          model: wireId(model),
          project: await projectOf(base, request),
          request: { ...googleFields(model, request), ...(request.sessionId ? { session_id: request.sessionId } : {}) },
        },
        model,
        model.compat?.extraBody,
      ),
    };
  },
  reader(assembly) {
    const inner = googleReader(assembly);
    return {
      frame: ({ event, data }) => inner.frame({ event, data: data.error ? data : asObject(data.response) }),
    };
  },
};

/** Projects by token, so that an account is asked for its project once. */
const projects = new Map<string, string>();
const MOST_PROJECTS = 50;

/** The project of the login, of the environment, or the one that Cloud Code Assist has assigned to the account. */
async function projectOf(base: string, request: ModelRequest): Promise<string> {
  const { credential } = request;
  const token = secretOf(credential) ?? "";
  const known =
    (credential.kind === "oauth" ? credential.projectId : undefined) ??
    readSetting(request, "GOOGLE_CLOUD_PROJECT") ??
    readSetting(request, "GCLOUD_PROJECT") ??
    projects.get(token);
  if (known) return known;
  const found = await assignedProject(base, request);
  if (!found) {
    throw new Error(
      "Cloud Code Assist has assigned no project to this account. Set GOOGLE_CLOUD_PROJECT, or use Gemini CLI once to get one.",
    );
  }
  if (projects.size >= MOST_PROJECTS) projects.clear();
  projects.set(token, found);
  return found;
}

async function assignedProject(base: string, request: ModelRequest): Promise<string | undefined> {
  const fetch = request.fetch ?? globalThis.fetch;
  const response = await fetch(join(base, "v1internal:loadCodeAssist"), {
    method: "POST",
    headers: { "content-type": "application/json", ...bearerHeaders(request.credential) },
    body: JSON.stringify({ metadata: { ideType: "IDE_UNSPECIFIED", platform: "PLATFORM_UNSPECIFIED" } }),
    signal: AbortSignal.any([request.signal, AbortSignal.timeout(LOOKUP_MS)]),
  });
  const body: Json = asObject(parseJson(await response.text()));
  const { cloudaicompanionProject: project } = body;
  return asText(project) || asText(asObject(project).id) || undefined;
}
