import { join } from "node:path";
import type { Person } from "../../contract/ports.ts";
import type { AgentSession } from "../../contract/session.ts";
import type { UserInterface } from "../../contract/ui.ts";
import { openAudit } from "../../gates/audit.ts";
import { createGateBroker, type GateBroker } from "../../gates/broker.ts";
import { hashOf } from "../../gates/canonical.ts";
import { openGateStore } from "../../gates/store.ts";
import { type BudgetExceeded, createUnattended, type Unattended } from "../../gates/unattended.ts";
import { SCOPES } from "../wire/commands.ts";
import { gateOnWire } from "../wire/gate-wire.ts";
import type { FrameWriter } from "../wire/writer.ts";
import { createDialogUi, type UiOptions, urlNotice } from "./dialog-ui.ts";
import { createDialogs, type Dialogs } from "./dialogs.ts";
import { createHostTools, type HostTools } from "./host-tools.ts";
import { createHostUris, type HostUris } from "./host-uris.ts";
import { createRpcPerson, orphanAnswerText } from "./rpc-person.ts";

/**
 * What an RPC client supplies to a session: the person, the guard, host tools and host URIs. The host is created before
 * the session, because creating the session needs the person and the guard; `attach` connects the two.
 */
export interface RpcHost {
  readonly writer: FrameWriter;
  readonly person: Person;
  readonly unattended: Unattended;
  readonly dialogs: Dialogs;
  readonly ui: UserInterface;
  /** Shows an address that the user must open. */
  openUrl(url: string, instructions?: string): void;
  readonly tools: HostTools;
  readonly uris: HostUris;
  /** The gates of the attached session. */
  gates(): GateBroker;
  byGate: boolean;
  attach(session: AgentSession): void;
  /** Called when the client has gone: rejects everything that waits for it. Pending gates stay on disk. */
  close(): void;
}

type HostOptions = { writer: FrameWriter; agentDir: string; dialogTimeoutMs?: number } & UiOptions;

export function createRpcHost(options: HostOptions): RpcHost {
  return new Host(options);
}

class Host implements RpcHost {
  byGate = false;
  readonly writer: FrameWriter;
  readonly person: Person;
  readonly unattended: Unattended;
  readonly dialogs: Dialogs;
  readonly ui: UserInterface;
  readonly openUrl: RpcHost["openUrl"];
  readonly tools: HostTools;
  readonly uris: HostUris;
  readonly #agentDir: string;
  #session: AgentSession | undefined;
  #broker: { sessionId: string; gates: GateBroker } | undefined;

  constructor({ writer, agentDir, dialogTimeoutMs, ...uiOptions }: HostOptions) {
    const send = (frame: Record<string, unknown>) => writer.send(frame);
    this.writer = writer;
    this.#agentDir = agentDir;
    this.dialogs = createDialogs(send);
    this.ui = createDialogUi(this.dialogs, uiOptions);
    this.openUrl = (url, instructions) => this.dialogs.notify(urlNotice(url, instructions, uiOptions));
    this.tools = createHostTools(send);
    this.uris = createHostUris(send);
    this.unattended = createUnattended({
      scopes: SCOPES,
      openAudit: (runId) => openAudit(join(agentDir, "audit", "unattended"), runId),
      abort: (reason) => this.#endUnattended(reason),
    });
    this.person = createRpcPerson({
      dialogs: this.dialogs,
      gates: () => this.gates(),
      byGate: () => this.byGate || this.unattended.accepted !== undefined,
      ...(dialogTimeoutMs === undefined ? {} : { timeoutMs: dialogTimeoutMs }),
    });
  }

  gates(): GateBroker {
    const session = this.#session;
    if (!session) throw new Error("No session is attached yet.");
    if (this.#broker?.sessionId === session.id) return this.#broker.gates;
    this.#broker?.gates.close();
    const gates = this.#createBroker(session);
    this.#broker = { sessionId: session.id, gates };
    return gates;
  }

  attach(session: AgentSession): void {
    this.#session = session;
  }

  close(): void {
    const reason = "The RPC client disconnected before it answered the call.";
    this.dialogs.closeAll();
    this.tools.rejectAll(reason);
    this.uris.rejectAll(reason);
    this.#broker?.gates.close();
    this.unattended.close();
  }

  #createBroker(session: AgentSession): GateBroker {
    const { unattended, writer } = this;
    return createGateBroker({
      store: openGateStore(gateFile(session, this.#agentDir)),
      emit(gate) {
        unattended.record("gate_opened", `opened:${gate.gate_id}`, { gate_id: gate.gate_id, kind: gate.kind });
        writer.send(gateOnWire(gate));
      },
      onResolved: (gate, { answer_hash }) =>
        unattended.record("gate_answered", `answered:${gate.gate_id}`, { gate_id: gate.gate_id, answer_hash }),
      onOrphan: (gate, answer) => void sendToModel(session, orphanAnswerText(gate, answer)),
    });
  }

  async #endUnattended(reason: BudgetExceeded): Promise<void> {
    this.#broker?.gates.withdrawAll();
    this.writer.send({
      type: "extension_error",
      extensionPath: "unattended",
      event: reason.code,
      error: JSON.stringify(reason),
    });
    await this.#session?.abort();
  }
}

/** Next to the session file; for a session that is only in memory, in the agent's state folder. */
function gateFile(session: AgentSession, agentDir: string): string {
  const { sessionFile } = session.state();
  if (sessionFile) return `${sessionFile.replace(/\.jsonl$/, "")}.gates.json`;
  return join(agentDir, "state", "workflow-gates", `${hashOf(session.id).slice(0, 32)}.json`);
}

async function sendToModel(session: AgentSession, text: string): Promise<void> {
  await session.prompt(text, { streamingBehavior: "followUp" }).catch(() => {
    // The session has ended. The answer is stored in the gate file.
  });
}
