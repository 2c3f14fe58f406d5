import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Coordinator } from "../coordinator.ts";
import { changesText, readSessionChanges } from "../reading/changes.ts";
import { inputLines, sessionLine } from "../reading/rows.ts";
import { readTranscript, transcriptText } from "../reading/transcript.ts";
import { RESOURCE_CHARS, resourceText, variableOf } from "./resource-text.ts";

/** The newest sessions are listed. Completion finds the others. */
const LISTED = 50;
const COMPLETED = 100;

/** `gantry://session/<id>/transcript`, pages before a position, and `gantry://session/<id>/diff`. */
export function registerSessions(server: McpServer, coordinator: Coordinator): void {
  const { client } = coordinator;
  const complete = { session: (value: string) => completeSession(coordinator, value) };
  const list = (part: string) => async () => {
    const { sessions } = await client.sessions.list({ limit: LISTED });
    return {
      resources: sessions.map(({ id, title, agent, state }) => ({
        uri: `gantry://session/${id}/${part}`,
        name: `${title} (${part})`,
        description: `${agent}, ${state}`,
      })),
    };
  };
  const text = { mimeType: "text/plain" };
  server.registerResource(
    "session-transcript",
    new ResourceTemplate("gantry://session/{session}/transcript", { list: list("transcript"), complete }),
    { title: "Transcript of a session", description: "The end of it, with a cursor for what is before.", ...text },
    (uri, { session }) => resourceText(uri, "text/plain", () => transcriptOf(coordinator, variableOf(session))),
  );
  server.registerResource(
    "session-transcript-before",
    new ResourceTemplate("gantry://session/{session}/transcript/before/{seq}", { list: undefined, complete }),
    { title: "An earlier part of a transcript", ...text },
    (uri, { session, seq }) =>
      resourceText(uri, "text/plain", () =>
        transcriptOf(coordinator, variableOf(session), Number(variableOf(seq)) || 1),
      ),
  );
  server.registerResource(
    "session-diff",
    new ResourceTemplate("gantry://session/{session}/diff", { list: list("diff"), complete }),
    { title: "Changes of a session", description: "Of its lane, or of its last turn.", mimeType: "text/x-diff" },
    (uri, { session }) =>
      resourceText(uri, "text/x-diff", async () => {
        const found = await client.sessions.get(variableOf(session));
        return changesText(await readSessionChanges(client, found, { maxChars: RESOURCE_CHARS }));
      }),
  );
}

async function transcriptOf({ client }: Coordinator, id: string, before?: number): Promise<string> {
  const session = await client.sessions.get(id);
  const page = await readTranscript(client, id, { before, maxChars: RESOURCE_CHARS });
  const more = page.older === undefined ? [] : [`Before this: gantry://session/${id}/transcript/before/${page.older}`];
  return [sessionLine(session), ...inputLines(session.inputs), ...more, "", transcriptText(page)].join("\n");
}

/** Ids that begin with the text, and ids of sessions that match it. */
async function completeSession({ client }: Coordinator, value: string): Promise<string[]> {
  const { sessions } = await client.sessions.list({ limit: COMPLETED, ...(value ? { q: value } : {}) });
  return sessions.map(({ id }) => id);
}
