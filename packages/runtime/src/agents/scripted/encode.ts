import type { AgentCommand, Outbound } from "../contract.ts";
import { answerKey } from "./events.ts";

/** The frames of a command; `undefined` if unsupported. */
export function encode(command: AgentCommand): Outbound[] | undefined {
  switch (command.type) {
    case "prompt":
    case "steer": {
      const { type, message, text, attachments } = command;
      return [{ msg: { type, id: message, text, attachments }, key: message, repeat: "ask" }];
    }
    case "interrupt":
      return [{ msg: { type: "interrupt" }, repeat: "safe" }];
    case "stopTask":
      return [{ msg: { type: "stop_task", task: command.task }, repeat: "safe" }];
    case "answer": {
      const { decision, edits, answers, message } = command.answer;
      // The engine keeps session grants; the agent receives a plain approval each time.
      const plain = decision === "allow_session" ? "allow" : decision;
      const msg = { type: "answer", id: command.key, decision: plain, edits, answers, message };
      return [{ msg, key: answerKey(command.key), repeat: "ask" }];
    }
    case "set": {
      const { model, mode } = command;
      if (model === undefined && mode === undefined) return undefined;
      return [{ msg: { type: "set", model, mode }, repeat: "safe" }];
    }
    case "ping":
      return [{ msg: { type: "ping", id: command.key }, key: command.key, repeat: "safe" }];
  }
}
