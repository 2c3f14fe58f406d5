import type { AgentEvent } from "../../contract/events.ts";
import type { AgentMessage } from "../../contract/messages.ts";

/**
 * Merges the attempts of a run into one: clients count `agent_end` events against their prompts, so each run has one
 * `agent_start` and one `agent_end`, whatever was retried or compacted in between. Messages of failed attempts are
 * removed.
 */
export interface Runs {
  /** The events to publish instead of this one. */
  merge(event: AgentEvent): AgentEvent[];
  /** The end of the run was published, but its follow-up work (a compaction) is still running. */
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
