/** What Ctrl-C means while a turn is followed. */
export type Interrupts = {
  /** Given at the second Ctrl-C: stop following. */
  readonly signal: AbortSignal;
  /** Was there a first one? */
  readonly asked: () => boolean;
  /** The same as a first Ctrl-C. */
  ask(): void;
  /** Stops following, as the second one does. */
  leave(): void;
  dispose(): void;
};

/** The first Ctrl-C calls `first`, which asks the daemon to stop the turn; the second leaves it to itself. */
export function catchInterrupts(first: () => void): Interrupts {
  const controller = new AbortController();
  let asked = false;
  const onSignal = () => {
    if (asked) return controller.abort();
    asked = true;
    first();
  };
  process.on("SIGINT", onSignal);
  return {
    signal: controller.signal,
    asked: () => asked,
    ask: () => {
      if (!asked) onSignal();
    },
    leave: () => controller.abort(),
    dispose: () => process.off("SIGINT", onSignal),
  };
}
