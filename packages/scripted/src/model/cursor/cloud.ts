import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { asObject, asText, type Json, parseObject } from "../../json.ts";
import { lastMarker, type Marker } from "../../marker.ts";
import { pieces } from "../../pieces.ts";
import type { Failure } from "../failures.ts";
import type { Pace } from "../play.ts";
import type { Script } from "../script.ts";

/** What the backend needs from the scripted model. */
export type BackendHost = {
  pace: Pace;
  script(marker: Marker | null, conversation: string): Script;
  /** The failure of every request from now on, if one is set. */
  refusal(): Failure | undefined;
  note(
    http: IncomingMessage,
    request: { body: Json; model?: string; scenario?: string; cwd?: string },
  ): { aborted?: boolean };
};

type CloudRun = { id: string; agentId: string; status: string; prompt: string; createdAt: string; updatedAt: string };
type CloudAgent = { id: string; name: string; createdAt: string; updatedAt: string; runs: CloudRun[] };
export type CloudAgents = Map<string, CloudAgent>;

type Request = BackendHost & {
  http: IncomingMessage;
  path: string;
  body: Buffer;
  response: ServerResponse;
  agents: CloudAgents;
};

const AT = "2026-01-01T00:00:00.000Z";
/** The agent that exists from the beginning, with a run that writes until it is cancelled. */
export const FIRST_CLOUD_AGENT = "bc-00000000-0000-4000-8000-000000000001";

/** Answers requests about agents in the cloud. Runs play the texts of their scenario as server-sent events. */
export async function answerCloud(request: Request): Promise<void> {
  const { http, path, body, agents, response } = request;
  if (agents.size === 0)
    addAgent(agents, FIRST_CLOUD_AGENT, "Scripted cloud agent", "[[slow:2000]] from another client");
  const input = parseObject(body.toString()) ?? {};
  request.note(http, { body: input });
  const refusal = request.refusal();
  if (refusal) return send(response, { error: { message: refusal.openai.message } }, refusal.status);
  const [, , , agentId, part, runId, action] = path.split("/");
  const agent = agents.get(agentId ?? "");
  if (!agentId && http.method === "GET") return send(response, { items: [...agents.values()].map(describe) });
  if (!agentId) {
    const created = addAgent(
      agents,
      asText(input.agentId) || `bc-${randomUUID()}`,
      asText(input.name) || "New agent",
      promptOf(input),
    );
    return send(response, { agent: describe(created), run: created.runs[0] });
  }
  if (!agent) return send(response, { error: { code: "not_found", message: `There is no agent ${agentId}.` } }, 404);
  if (part !== "runs") return send(response, describe(agent));
  if (!runId && http.method === "POST") return send(response, { run: addRun(agent, promptOf(input)) });
  if (!runId) return send(response, { items: agent.runs.toReversed() });
  const run = agent.runs.find(({ id }) => id === runId);
  if (!run) return send(response, { error: { code: "not_found", message: `There is no run ${runId}.` } }, 404);
  if (action === "cancel") {
    if (run.status === "RUNNING") run.status = "CANCELLED";
    return send(response, { id: run.id });
  }
  return action === "stream" ? streamRun(request, run) : send(response, { ...run });
}

function addAgent(agents: CloudAgents, id: string, name: string, prompt: string): CloudAgent {
  const agent: CloudAgent = { id, name, createdAt: AT, updatedAt: AT, runs: [] };
  addRun(agent, prompt);
  agents.set(id, agent);
  return agent;
}

function addRun(agent: CloudAgent, prompt: string): CloudRun {
  const run = { id: `run-${randomUUID()}`, agentId: agent.id, status: "RUNNING", prompt, createdAt: AT, updatedAt: AT };
  agent.runs.push(run);
  return run;
}

function describe({ runs, ...agent }: CloudAgent): Json {
  const status = runs.some((run) => run.status === "RUNNING") ? "ACTIVE" : "IDLE";
  return { ...agent, status, url: `https://cursor.example/${agent.id}`, latestRunId: runs.at(-1)?.id };
}

async function streamRun({ response, script, pace }: Request, run: CloudRun): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  let events = 0;
  const emit = (event: string, data: Json) => {
    if (!response.destroyed) response.write(`id: ${++events}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  emit("status", { status: "RUNNING" });
  for (const block of script(lastMarker(run.prompt), run.id).replies.flat()) {
    if (block.type !== "text" && block.type !== "think") continue;
    const delay = block.delay === "slow" ? pace.slow : (block.delay ?? pace.chunk);
    for (const piece of pieces(block.text, block.size ?? 12)) {
      if (run.status !== "RUNNING" || response.destroyed) break;
      emit(block.type === "text" ? "assistant" : "thinking", { text: piece });
      await sleep(delay);
    }
  }
  if (run.status === "RUNNING" && !response.destroyed) run.status = "FINISHED";
  emit("status", { status: run.status });
  emit("result", { status: run.status, durationMs: 10 });
  emit("done", {});
  response.end();
}

function promptOf(input: Json): string {
  return asText(asObject(input.prompt).text);
}

function send(response: ServerResponse, body: Json, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
