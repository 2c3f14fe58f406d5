import { type Choice, firstLine, stripControls } from "@gantry/terminal";
import type { Entry } from "../../../contract/session-store.ts";
import { type TreeStore, treeRows } from "../../../session-files/tree.ts";
import type { CommandContext } from "../command-context.ts";

/** The messages of all branches, the newest first. A user's message can be changed, after another one the session continues. */
export function treeChoices(context: CommandContext): Choice[] {
  const { agent, reload, edit } = context;
  return treeRows(storeOf(context), "no-tools")
    .map(({ entry, label, depth, onPath, isLeaf }) => ({
      label: `${"  ".repeat(depth)}${isLeaf ? "◉" : onPath ? "●" : "○"} ${describe(entry)}`,
      ...(label ? { detail: label } : {}),
      async pick() {
        const { text } = await agent.session.navigate(entry.id);
        reload();
        edit(text ?? "");
      },
    }))
    .reverse();
}

function storeOf({ agent }: CommandContext): TreeStore {
  const { entries, leafId } = agent.session.entries();
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const path: Entry[] = [];
  for (let next = byId.get(leafId ?? ""); next; next = byId.get(next.parentId ?? "")) path.unshift(next);
  const labels = entries.flatMap((entry) =>
    entry.type === "label" && entry.label ? [[entry.targetId, entry.label] as const] : [],
  );
  return { entries: () => entries, labels: () => new Map(labels), path: () => path, leafId };
}

function describe(entry: Entry): string {
  if (entry.type === "compaction" || entry.type === "branch_summary") return `summary: ${firstLine(entry.summary)}`;
  if (entry.type !== "message") return entry.type;
  const { message } = entry;
  if (message.role === "bashExecution") return `! ${firstLine(message.command)}`;
  const content = "content" in message ? message.content : "";
  const blocks = typeof content === "string" ? [content] : content.map((each) => ("text" in each ? each.text : ""));
  const text = firstLine(stripControls(blocks.join("\n").trim()));
  return message.role === "user" ? `you: ${text}` : text || message.role;
}
