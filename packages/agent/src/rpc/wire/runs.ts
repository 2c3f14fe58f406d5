import type { AgentEvent } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";

/**
 * Makes one run of all its tries: clients count the ends of runs against their prompts, so that each run has one
 * `agent_start` and one `agent_end`, whatever was retried or summed up in between. What a failed try said is taken back.
 */
export interface Runs {
  /** The events to tell in place of this one. */
  merge(event: AgentEvent): AgentEvent[];
  /** The run has been told to its end, and what follows from it (a compaction) still goes on. */
  readonly trailing: boolean;
}

export function createRuns(): Runs {
  let earlier: AgentMessage[] | undefined;
  let trailing = false;
  const end = (messages: AgentMessage[]): AgentEvent => {
    const all = [...(earlier ?? []), ...messages];
    earlier = undefined;
    trailing = true;
    return { type: "agent_end", messages: all, willRetry: false };
  };
  return {
    get trailing() {
      return trailing;
    },
    merge(event) {
      if (event.type === "agent_start") {
        trailing = false;
        return earlier ? [] : [event];
      }
      if (event.type === "agent_end") {
        if (!event.willRetry) return [end(event.messages)];
        earlier = [...(earlier ?? []), ...event.messages.filter((message) => !hasFailed(message))];
        return [];
      }
      if (event.type !== "agent_settled") return [event];
      const before = earlier ? [end([])] : [];
      trailing = false;
      return [...before, event];
    },
  };
}

function hasFailed(message: AgentMessage): boolean {
  return message.role === "assistant" && message.stopReason === "error";
}
