import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server";
import type { Coordinator } from "../coordinator.ts";
import { changesText, readLaneChanges } from "../reading/changes.ts";
import { RESOURCE_CHARS, resourceText, variableOf } from "./resource-text.ts";

const LISTED = 100;

/** `gantry://lane/<id>/diff`: the changes of a lane since its base. */
export function registerLanes(server: McpServer, coordinator: Coordinator): void {
  const { client } = coordinator;
  const list = async () => {
    const { lanes } = await client.lanes.list();
    return {
      resources: lanes.slice(0, LISTED).map(({ id, name, branch, changes, ahead }) => ({
        uri: `gantry://lane/${id}/diff`,
        name: `${name} (diff)`,
        description: `${branch ?? "no branch"}, ${ahead} commits ahead, ${changes} uncommitted files`,
      })),
    };
  };
  server.registerResource(
    "lane-diff",
    new ResourceTemplate("gantry://lane/{lane}/diff", {
      list,
      complete: { lane: (value) => completeLane(coordinator, value, "id") },
    }),
    { title: "Changes of a lane", description: "Since its base, with uncommitted files.", mimeType: "text/x-diff" },
    (uri, { lane }) =>
      resourceText(uri, "text/x-diff", async () =>
        changesText(await readLaneChanges(client, variableOf(lane), { maxChars: RESOURCE_CHARS })),
      ),
  );
}

/** Lanes whose name or id contains the text. */
export async function completeLane({ client }: Coordinator, value: string, give: "id" | "name"): Promise<string[]> {
  const { lanes } = await client.lanes.list();
  return lanes.filter(({ id, name }) => id.includes(value) || name.includes(value)).map((lane) => lane[give]);
}
