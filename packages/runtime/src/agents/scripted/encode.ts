import type { AgentCommand, Outbound } from "../contract.ts";
import type { ScriptedState } from "./decode.ts";
import { answerKey } from "./events.ts";

/** The frames of a command; `undefined` if unsupported. */
export function encode(state: ScriptedState, command: AgentCommand): Outbound[] | undefined {
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
      const { model, mode, controls } = command;
      if (model === undefined && mode === undefined && controls === undefined) return undefined;
      // Like an argument of other agents, `reach` is fixed at the start.
      if (controls && controls.reach !== state.start.controls?.reach) return undefined;
      return [{ msg: { type: "set", model, mode, controls }, repeat: "safe" }];
    }
    case "ping":
      return [{ msg: { type: "ping", id: command.key }, key: command.key, repeat: "safe" }];
  }
}
