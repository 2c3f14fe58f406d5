import { basename } from "node:path";
import { type Answer, inFolder, type ToolCall, type ToolOutcome, type ToolStep } from "@gantry/scripted/agent";
import { asObject, asText, type Json } from "@gantry/scripted/json";

const NAMES = { write: "Write", edit: "Edit", read: "Read", run: "Bash" } as const;

/** A step as Claude Code's tool call. */
export function toolUse(step: ToolStep, cwd: string): { name: string; input: Json } {
  const name = NAMES[step.do];
  if (step.do === "run") return { name, input: { command: step.command, description: "Run a command" } };
  const file_path = inFolder(cwd, step.path);
  if (step.do === "read") return { name, input: { file_path } };
  if (step.do === "write") return { name, input: { file_path, content: step.content } };
  return { name, input: { file_path, old_string: step.before, new_string: step.after } };
}

export function permissionRequest(call: ToolCall, cwd: string): Json {
  const { name, input } = toolUse(call.step, cwd);
  const rule = { toolName: "Bash", ruleContent: asText(input.command) };
  const suggestion =
    call.step.do === "run"
      ? { type: "addRules", rules: [rule], behavior: "allow", destination: "localSettings" }
      : { type: "setMode", mode: "acceptEdits", destination: "session" };
  return {
    subtype: "can_use_tool",
    tool_name: name,
    display_name: name,
    input,
    description: call.step.do === "run" ? "Run a command" : basename(call.step.path),
    permission_suggestions: [suggestion],
    tool_use_id: call.item,
  };
}

/** Converts the host's answer to `can_use_tool` to a decision. */
export function readDecision(response: Json): Answer {
  if (response.behavior !== "allow") {
    const message = asText(response.message, "The user doesn't want to proceed with this tool use.");
    return { decision: response.interrupt === true ? "cancel" : "deny", message };
  }
  const input = asObject(response.updatedInput);
  const edits: Json = {};
  const names = {
    file_path: "path",
    content: "content",
    old_string: "before",
    new_string: "after",
    command: "command",
  };
  for (const [theirs, ours] of Object.entries(names))
    if (typeof input[theirs] === "string") edits[ours] = input[theirs];
  const answers = asObject(input.answers) as Answer["answers"];
  return { decision: response.updatedPermissions ? "allow_session" : "allow", edits, answers };
}

/** The tool result for the model, and the structured result for the host. */
export function toolResult(
  call: ToolCall,
  outcome: ToolOutcome,
  cwd: string,
): { content: string; structured: unknown } {
  const { step } = call;
  if (outcome.status === "denied") return { content: outcome.output, structured: `Error: ${outcome.output}` };
  if (step.do === "run") {
    const failed = outcome.exitCode ? `Exit code ${outcome.exitCode}\n` : "";
    const content = `${failed}${outcome.output}`.replace(/\n$/, "");
    const structured = {
      stdout: outcome.output,
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
    };
    return { content, structured: outcome.exitCode ? `Error: ${content}` : structured };
  }
  if (outcome.status === "error") return { content: outcome.output, structured: `Error: ${outcome.output}` };
  const filePath = inFolder(cwd, step.path);
  if (step.do === "read") {
    const lines = outcome.output.split("\n");
    const content = lines.map((line, index) => `${index + 1}\t${line}`).join("\n");
    const file = { filePath, content: outcome.output, numLines: lines.length, startLine: 1, totalLines: lines.length };
    return { content, structured: { type: "text", file } };
  }
  if (step.do === "edit") {
    const content = `The file ${filePath} has been updated successfully.`;
    return {
      content,
      structured: { filePath, oldString: step.before, newString: step.after, structuredPatch: [], userModified: false },
    };
  }
  const created = outcome.change?.kind !== "update";
  const content = `File ${created ? "created" : "updated"} successfully at: ${filePath}`;
  const structured = { type: created ? "create" : "update", filePath, content: step.content, structuredPatch: [] };
  return { content, structured };
}
