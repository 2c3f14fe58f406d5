import { join, resolve } from "node:path";
import { closeConnections, withoutSecrets } from "@gantry/models";
import { type AgentSession, SessionError } from "../contract/session.ts";
import type { Tool, UrlHandler } from "../contract/tool.ts";
import type { Equipment, SessionHandle } from "../session/tools/equipment.ts";
import type { Settings } from "../settings/schema.ts";
import { type Assignment, type TaskParts, taskTool } from "../tasks/task-tool.ts";
import type { JobListener } from "../tools/bash/jobs.ts";
import { type EditMode, editModeFor } from "../tools/edit/tool.ts";
import { type ExecTools, execTools } from "../tools/exec-tools.ts";
import { fileTools } from "../tools/file-tools.ts";
import type { AfterWrite } from "../tools/lsp/after-write.ts";
import type { Mcp } from "../tools/mcp/mcp-tools.ts";
import { createUrlRouter } from "../tools/urls/router.ts";
import { withAfterWriteCheck } from "./after-write-check.ts";
import type { SessionSlot, Shared } from "./shared.ts";

const MCP_WAIT_MS = 10_000;
const SUMMARY = 200;

/** Starts a subagent session for an assignment. */
export type Spawn = (own: SessionHandle, assignment: Assignment) => Promise<AgentSession>;

/** Creates the tools of one session and their resources. Throws a `SessionError` for an unknown tool name. */
export function equip(shared: Shared, slot: SessionSlot, own: SessionHandle, spawn: Spawn): Equipment {
  const exec = execToolsOf(shared, slot, own);
  const task = taskToolOf(shared, slot, own, spawn);
  const chosen = byEditMode((mode) => chosenTools(shared, [...filesOf(shared, own, exec, mode), ...exec.tools, task]));
  const mode = () => editModeFor(shared.settings.edit, own.model());
  chosen(mode());
  const { noTools, noMcp, supplied } = shared.options;
  const mcp = slot.depth === 0 && !noTools && !noMcp ? exec.connectMcp() : undefined;
  if (mcp) shared.mcpTools = () => mcp.tools();
  return {
    // Of tools with the same name the last counts: a program can replace a built-in tool, an extension cannot.
    tools: () => [...extensionTools(shared), ...chosen(mode()), ...shared.mcpTools(), ...(supplied?.tools ?? [])],
    urls: urlsOf(shared, mcp),
    shell: exec.runner,
    runHook: exec.runHook,
    jobs: () =>
      exec.jobs.list().map(({ id, command, status, startedAt, endedAt, output, outcome }) => ({
        ...{ id, command, status, startedAt, output },
        ...(endedAt === undefined ? {} : { endedAt }),
        ...(outcome?.exitCode === undefined ? {} : { exitCode: outcome.exitCode }),
      })),
    async stopJob(id) {
      if (exec.jobs.get(id)?.status !== "running") return false;
      await exec.jobs.cancel(id);
      return true;
    },
    expand: shared.skills.expand,
    restrict: () => exec.restrict(),
    ...(mcp && { ready: withTimeout(mcp.ready) }),
    async dispose() {
      if (slot.depth === 0) await shared.extensions?.dispose();
      await exec.dispose();
      await closeConnections(own.store().header.id);
      if (slot.depth > 0) return;
      shared.modelDiscovery.stop();
      await shared.memoryWorker.stop();
    },
  };
}

/** Caches the tools by edit mode: the mode depends on the model, and affects reading and searching too. */
function byEditMode(make: (mode: EditMode) => Tool[]): (mode: EditMode) => Tool[] {
  const made = new Map<EditMode, Tool[]>();
  return (mode) => {
    const tools = made.get(mode) ?? make(mode);
    made.set(mode, tools);
    return tools;
  };
}

/** The first message waits for MCP servers, but only for a limited time. */
function withTimeout(ready: Promise<unknown>): Promise<unknown> {
  return Promise.race([ready, new Promise((resolve) => setTimeout(resolve, MCP_WAIT_MS).unref())]);
}

function urlsOf({ outputs, settings, memoryWorker, skills }: Shared, mcp: Mcp | undefined): Record<string, UrlHandler> {
  const router = createUrlRouter({ agent: (id) => outputs.get(id) });
  return {
    agent: { description: "The result of a subagent.", read: (url, signal) => router.read(url, signal) },
    ...(settings.memories.enabled ? { memory: memoryWorker.memory.urls } : {}),
    ...(skills.urls ? { skill: skills.urls } : {}),
    ...(mcp ? { mcp: mcp.url } : {}),
  };
}

function execToolsOf(
  { options, agentDir, settings }: Shared,
  { cwd, store }: SessionSlot,
  own: SessionHandle,
): ExecTools {
  return execTools({
    cwd,
    folders: options.folders ?? [],
    env: options.env,
    agentDir,
    sessionId: store.header.id,
    mode: own.mode,
    sandbox: settings.sandbox,
    sandboxShows: settings.sandboxShows,
    withoutSecrets,
    languages: settings.eval,
    forgetful: settings.python.kernelMode === "per-call",
    mcp: {
      trustProject: settings.mcp.enableProjectConfig,
      ...(options.mcpConfig === undefined ? {} : { extra: resolve(cwd, options.mcpConfig) }),
    },
    onJobEnd: (text) => own.note(text, "job"),
    jobs: jobEvents(own),
    onProblem: own.warn,
  });
}

/** The last line of the output is the summary: it is short, and it usually has the result. */
function jobEvents(own: SessionHandle): JobListener {
  return {
    onStart: ({ id, command, toolCallId }) =>
      own.publish({ type: "job_started", jobId: id, command, ...(toolCallId === undefined ? {} : { toolCallId }) }),
    onUrl: ({ id, url = "" }) => own.publish({ type: "job_updated", jobId: id, url }),
    onEnd({ id, status, output, outcome }) {
      if (status === "running") return;
      const summary = output.trimEnd().split("\n").at(-1)?.trim().slice(0, SUMMARY) ?? "";
      const exitCode = outcome?.exitCode;
      own.publish({
        ...{ type: "job_ended", jobId: id, status, summary },
        ...(exitCode === undefined ? {} : { exitCode }),
      });
    },
  };
}

function filesOf({ settings, options }: Shared, own: SessionHandle, exec: ExecTools, mode: EditMode): Tool[] {
  const { pending, todos, marks } = own;
  const { lsp } = settings;
  const parts = { ...settings, read: { defaultLines: settings.read.defaultLimit } };
  /** What language servers do after these tools. */
  const checks: Record<string, AfterWrite> = {
    write: { format: lsp.formatOnWrite, diagnostics: lsp.diagnosticsOnWrite },
    edit: { format: lsp.formatOnWrite, diagnostics: lsp.diagnosticsOnEdit },
  };
  return fileTools(parts, { pending, todos, marks, editMode: mode }).map((tool) => {
    const check = lsp.enabled && !options.noLsp ? checks[tool.name] : undefined;
    return check?.format || check?.diagnostics
      ? withAfterWriteCheck(tool, (path) => exec.afterWrite(path, check))
      : tool;
  });
}

function taskToolOf(
  { settings, agentDir, outputs }: Shared,
  slot: SessionSlot,
  own: SessionHandle,
  spawn: Spawn,
): Tool {
  return taskTool({
    depth: slot.depth,
    ...(slot.id === undefined ? {} : { parentId: slot.id }),
    outputs,
    worktrees: join(agentDir, "worktrees"),
    maxConcurrency: settings.task.maxConcurrency,
    maxDepth: settings.task.maxRecursionDepth,
    maxRuntimeMs: settings.task.maxRuntimeMs,
    ...(settings.task.forkContext.enabled ? { inheritance: inheritanceOf(settings, own) } : {}),
    spawn: (assignment) => spawn(own, assignment),
  });
}

function inheritanceOf({ task }: Settings, own: SessionHandle): NonNullable<TaskParts["inheritance"]> {
  const { maxMessages, maxTokens } = task.forkContext;
  return {
    maxMessages,
    maxTokens,
    get contextWindow() {
      return own.model()?.contextWindow;
    },
    messages: own.messages,
  };
}

/** `tools` limits those of extensions too. */
function extensionTools({ options, extensions }: Shared): Tool[] {
  if (options.noTools) return [];
  return (extensions?.tools() ?? []).filter(({ name }) => options.tools?.includes(name) ?? true);
}

function chosenTools({ options, settings, extensions }: Shared, made: Tool[]): Tool[] {
  const { tools, noTools, noLsp } = options;
  if (noTools) return [];
  const all = noLsp || !settings.lsp.enabled ? made.filter(({ name }) => name !== "lsp") : made;
  if (!tools) return all;
  const known = [...all, ...(extensions?.tools() ?? [])].map(({ name }) => name);
  const unknown = tools.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new SessionError(`There is no tool ${unknown}. Known tools: ${known.join(", ")}.`);
  }
  return all.filter(({ name, hidden }) => hidden || tools.includes(name));
}
