/**
 * What a tool call is about to do, in the terms in which modes, unattended scopes and sandboxes decide.
 * `path` is absolute. A command is classified by the worst of its parts.
 */
export type Action =
  | { kind: "file.read"; path: string }
  | { kind: "file.write"; path: string }
  | { kind: "file.delete"; path: string }
  /** `inside`: everything that it destroys lies in folders where writing is free. */
  | {
      kind: "bash.readonly" | "bash.mutating" | "bash.destructive" | "git.force_push";
      command: string;
      inside?: true;
    }
  | { kind: "code.run"; language: string; code: string }
  /** `ruled`: a rule of the user (`fetch.allow`) names the host, so no question is needed. */
  | { kind: "net.fetch"; url: string; ruled?: boolean }
  | { kind: "mcp.call"; server: string; tool: string; readonly: boolean }
  | { kind: "host_tool.invoke"; tool: string }
  | { kind: "host_uri.read" | "host_uri.write"; url: string }
  | { kind: "agent.spawn"; agent: string }
  /** Changes nothing outside the conversation: todo, ask, checkpoint. */
  | { kind: "inner" };

export type PermissionMode = "plan" | "ask" | "auto-edit" | "full-auto";

/** `ask` asks a person. `deny` returns its reason to the model. */
export type Verdict = { verdict: "allow" } | { verdict: "ask" } | { verdict: "deny"; reason: string };

export type ApprovalRequest = {
  toolCallId: string;
  toolName: string;
  title: string;
  args: unknown;
  actions: Action[];
  /** A preview of the change, as a unified diff or text. */
  preview?: string;
};
export type Approval =
  | { decision: "once" | "session"; args?: Record<string, unknown> }
  | { decision: "deny"; reason?: string };
