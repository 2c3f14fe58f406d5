/** A frame as the framing knows it: a name, where it has names, and a text that should be JSON. */
export type RawFrame = { event: string; data: string };
