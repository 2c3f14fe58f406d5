import { join } from "node:path";
import type { Person } from "../contract/ports.ts";
import type { AgentSession } from "../contract/session.ts";
import { openAudit } from "../gates/audit.ts";
import { createGateBroker, type GateBroker } from "../gates/broker.ts";
import { hashOf } from "../gates/canonical.ts";
import { openGateStore } from "../gates/store.ts";
import { type BudgetExceeded, createUnattended, type Unattended } from "../gates/unattended.ts";
import { SCOPES } from "./commands.ts";
import { createDialogs, type Dialogs } from "./dialogs.ts";
import { createHostTools, type HostTools } from "./host-tools.ts";
import { createHostUris, type HostUris } from "./host-uris.ts";
import { createRpcPerson, orphanAnswerText } from "./person.ts";
import type { FrameWriter } from "./writer.ts";

/**
 * Everything that stands on the other side of the wire for a session: its person, its guard, the host's tools and
 * addresses. It is made before the session, which needs a person and a guard to be made; `attach` brings them together.
 */
export interface RpcHost {
  readonly writer: FrameWriter;
  readonly person: Person;
  readonly unattended: Unattended;
  readonly dialogs: Dialogs;
  readonly tools: HostTools;
  readonly uris: HostUris;
  gates(): GateBroker;
  byGate: boolean;
  attach(session: AgentSession): void;
  /** The client is gone: whatever waits for it is rejected. Pending gates stay on disk. */
  close(): void;
}

export function createRpcHost(options: { writer: FrameWriter; agentDir: string; dialogTimeoutMs?: number }): RpcHost {
  const { writer, agentDir } = options;
  const send = (frame: Record<string, unknown>) => writer.send(frame);
  const dialogs = createDialogs(send);
  const tools = createHostTools(send);
  const uris = createHostUris(send);
  let session: AgentSession | undefined;
  let broker: { sessionId: string; gates: GateBroker } | undefined;

  const unattended = createUnattended({
    scopes: SCOPES,
    openAudit: (runId) => openAudit(join(agentDir, "audit", "unattended"), runId),
    async abort(reason: BudgetExceeded) {
      broker?.gates.withdrawAll();
      send({ type: "extension_error", extensionPath: "unattended", event: reason.code, error: JSON.stringify(reason) });
      await session?.abort();
    },
  });

  const host: RpcHost = {
    writer,
    dialogs,
    tools,
    uris,
    unattended,
    byGate: false,
    person: createRpcPerson({
      dialogs,
      gates: () => host.gates(),
      byGate: () => host.byGate || unattended.accepted !== undefined,
      ...(options.dialogTimeoutMs === undefined ? {} : { timeoutMs: options.dialogTimeoutMs }),
    }),
    gates() {
      if (!session) throw new Error("No session is attached yet.");
      const attached = session;
      const { id } = attached;
      if (broker?.sessionId === id) return broker.gates;
      broker?.gates.close();
      const gates = createGateBroker({
        store: openGateStore(gateFile(attached, agentDir)),
        emit: (gate) => {
          unattended.record("gate_opened", `opened:${gate.gate_id}`, { gate_id: gate.gate_id, kind: gate.kind });
          send(gate);
        },
        onResolved: (gate, { answer_hash }) =>
          unattended.record("gate_answered", `answered:${gate.gate_id}`, { gate_id: gate.gate_id, answer_hash }),
        onOrphan: (gate, answer) => void tellModel(attached, orphanAnswerText(gate, answer)),
      });
      broker = { sessionId: id, gates };
      return gates;
    },
    attach(to) {
      session = to;
    },
    close() {
      const reason = "The RPC client is gone before the call was answered.";
      dialogs.closeAll();
      tools.rejectAll(reason);
      uris.rejectAll(reason);
      broker?.gates.close();
      unattended.close();
    },
  };
  return host;
}

/** Beside the session's file; for a session that is only in memory, among the agent's own files. */
function gateFile(session: AgentSession, agentDir: string): string {
  const { sessionFile } = session.state();
  if (sessionFile) return `${sessionFile.replace(/\.jsonl$/, "")}.gates.json`;
  return join(agentDir, "state", "workflow-gates", `${hashOf(session.id).slice(0, 32)}.json`);
}

async function tellModel(session: AgentSession, text: string): Promise<void> {
  await session.prompt(text, { streamingBehavior: "followUp" }).catch(() => {
    // The session has ended meanwhile: the answer is kept in the gate's file.
  });
}
