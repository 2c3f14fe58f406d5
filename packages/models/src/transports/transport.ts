import type { Model } from "../model.ts";
import type { ModelRequest } from "../stream.ts";
import type { Assembly } from "./assembly.ts";
import type { Json } from "./json.ts";

/** A request before the body is sealed and the headers get their last changes. */
export type WireRequest = { url: string; headers: Record<string, string>; body: Json };

/** One frame of a stream: what was sent, parsed, and the name that the framing gave it. */
export type Frame = { event: string; data: Json };

/**
 * One wire format. `prepare` and `reader` are pure but for looking up who asks; neither sends anything. What `prepare`
 * throws is told as a request that could not be made. A reader is told every frame in its order, and then that the
 * stream has ended; it must not throw for anything a provider may send.
 */
export interface Transport {
  framing: "sse" | "lines" | "event-stream";
  prepare(model: Model, request: ModelRequest): WireRequest | Promise<WireRequest>;
  /** Headers that depend on the very bytes that are sent. */
  sign?(wire: { url: string; headers: Record<string, string>; body: string }, request: ModelRequest): Promise<Json>;
  /** A body that asks for less, where a refusal says that this one asked for too much. It is sent once. */
  plainer?(model: Model, body: Json, refusal: { status: number; text: string }): Json | undefined;
  reader(assembly: Assembly, model: Model): Reader;
}

export interface Reader {
  /** `last`: nothing more will come, even if the server leaves the connection open. */
  frame(frame: Frame): "last" | undefined;
  end?(): void;
}

/** A value of the environment of a request, where empty means not set. */
export function setting(request: ModelRequest, name: string): string | undefined {
  return (request.env ?? process.env)[name] || undefined;
}
