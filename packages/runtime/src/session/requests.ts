import { createHash } from "node:crypto";
import { resolve, sep } from "node:path";
import {
  type Attachment,
  type ControlValues,
  GantryError,
  isPlainModel,
  type Mode,
  type Model,
  type Sent,
  type SessionView,
} from "@gantry/protocol";
import { requireControls } from "../agents/applied-mode.ts";
import type { Agent } from "../agents/contract.ts";
import { allowedEfforts } from "../agents/efforts.ts";
import type { SessionActor } from "./actor.ts";
import { isSlashCommand } from "./engine/prompts.ts";
import { fileRoots, realPath } from "./folders.ts";

/** Throws `turn_running`. */
export function requireNoTurn({ id, turn }: SessionView): void {
  if (!turn) return;
  throw new GantryError("turn_running", `A turn of ${id} is running.`, {
    remedy: "Interrupt it first, or wait for its end.",
  });
}

/** `current`: the model that the session has, which is not checked. `controls` are checked for the mode. */
export type Choices = {
  model?: string;
  effort?: string;
  current?: string;
  mode?: Mode;
  controls?: ControlValues;
};

export type KnownModels = {
  /** The models of an agent. Probes the agent if the last answer is old. */
  models: (agent: string) => Promise<readonly Model[]>;
  /** The models that are known now, without a probe. */
  knownModels: (agent: string) => readonly Model[];
};

/** Checks a model name with options, an effort and native controls against what the agent has. Throws `invalid`. */
export async function requireChoices(
  agent: Agent,
  { model, effort, current, mode = "ask", controls }: Choices,
  { models, knownModels }: KnownModels,
): Promise<void> {
  requireControls(agent, mode, controls);
  if (model !== undefined && !isPlainModel(model) && !(await models(agent.id)).some(({ id }) => id === model)) {
    const remedy = `See \`gantry agents --json\` for the models of ${agent.name}.`;
    throw new GantryError("invalid", `${agent.name} does not list a model ${model}.`, { remedy });
  }
  const used = model ?? current;
  if (effort === undefined || allowedEfforts(knownModels(agent.id), used).includes(effort)) return;
  // A newer version may have more levels: only a current list can refuse one.
  const allowed = allowedEfforts(await models(agent.id), used);
  if (allowed.includes(effort)) return;
  const message = `${agent.name} has no effort ${effort}. Nothing was started or changed.`;
  const remedy = `Use one of: ${allowed.join(", ")}. Or omit the effort.`;
  throw new GantryError("invalid", message, { remedy, details: { field: "effort", allowed } });
}

/** Two processes in one native conversation would overwrite each other. Throws `unsupported` or `conflict`. */
export function requireResumable(
  agent: Agent,
  conversation: string | undefined,
  actors: readonly SessionActor[],
): void {
  if (conversation === undefined) return;
  if (agent.resume === "none") {
    const remedy = "Omit `resume` to start a new conversation.";
    throw new GantryError("unsupported", `${agent.name} cannot resume an earlier conversation.`, { remedy });
  }
  const busy = actors.find(({ view, process }) => process !== undefined && view.handles[agent.id] === conversation);
  if (!busy) return;
  const remedy = `Send your message to ${busy.view.id}, or close that session first.`;
  throw new GantryError("conflict", `${busy.view.id} uses this conversation right now.`, { remedy });
}

/** A hash of a request that does not depend on the order of its keys. */
export function requestHash(value: unknown): string {
  return createHash("sha256").update(stableJson(value)).digest("hex");
}

/** What is stored with an admitted message, so that a repeated request gets the same reply. */
export function encodeReply(hash: string, sent: Sent): string {
  return `${hash} ${JSON.stringify(sent)}`;
}

/** The stored reply of a repeated request. Throws `conflict` if the id was used with other content. */
export function replayReply(id: string, stored: string, hash: string): Sent {
  const space = stored.indexOf(" ");
  if (stored.slice(0, space) === hash) return JSON.parse(stored.slice(space + 1)) as Sent;
  throw new GantryError("conflict", `${id} was sent already with other content.`, {
    remedy: "Use another id, or omit it.",
  });
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, entry) =>
    entry && typeof entry === "object" && !Array.isArray(entry)
      ? Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)))
      : entry,
  );
}

/**
 * The attachments of a message with real paths. Files must be inside the session's folder or the upload folder after links
 * are resolved. Throws `invalid`, `outside_folder`, or `unsupported` for attachments to a slash command.
 */
export function checkAttachments(
  { text, attachments = [] }: { text?: string; attachments?: Attachment[] },
  cwd: string,
  home: string,
): Attachment[] {
  if (text && attachments.length > 0 && isSlashCommand(text)) {
    throw new GantryError("unsupported", "A slash command cannot have attachments.", {
      remedy: "Send the files with a separate message, then the command.",
    });
  }
  const roots = fileRoots(cwd, home);
  return attachments.map((attachment) => {
    if (attachment.path === undefined && attachment.data === undefined) {
      throw new GantryError("invalid", "An attachment needs `path` or `data`.");
    }
    if (attachment.path === undefined) return attachment;
    const path = realPath(resolve(cwd, attachment.path));
    if (!path) throw new GantryError("invalid", `${attachment.path} does not exist.`);
    if (roots.some((root) => path.startsWith(root + sep))) return { ...attachment, path };
    throw new GantryError("outside_folder", `${attachment.path} is outside the session's folder.`, {
      remedy: `Copy it into ${cwd} first.`,
    });
  });
}
