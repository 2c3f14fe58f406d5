import type { PendingQueue } from "../tools/resolve/tool.ts";
import type { PendingAction, Tool, ToolContext } from "../tools/tool.ts";

/**
 * The previews of a session as `resolve` sees them before it runs. The session keeps the queue that counts; tools are
 * made before there is one, so what they pend is noted on its way.
 */
export function createPendingNotes(): PendingQueue & { note(tool: Tool): Tool; forget(): void } {
  const waiting: PendingAction[] = [];
  let running: ToolContext | undefined;
  const watched = (context: ToolContext): ToolContext => ({
    ...context,
    pend(action) {
      waiting.push(action);
      context.pend(action);
    },
  });
  return {
    peek: () => waiting[0],
    take() {
      running?.takePending?.();
      return waiting.shift();
    },
    forget() {
      waiting.length = 0;
    },
    note: (tool) => ({
      ...tool,
      prepare(args, place) {
        const prepared = tool.prepare(args, place);
        if ("invalid" in prepared) return prepared;
        return {
          ...prepared,
          run(context) {
            running = context;
            return prepared.run(watched(context));
          },
        };
      },
    }),
  };
}
