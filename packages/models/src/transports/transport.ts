import type { Model } from "../model.ts";
import type { ModelRequest } from "../stream.ts";
import type { Assembly } from "./assembly.ts";
import type { Json } from "./json.ts";

/** A request before its secrets are masked and its headers finalised. */
export type WireRequest = { url: string; headers: Record<string, string>; body: Json };

/** A frame as the framing delivers it. `event` is empty for framings without names; `data` should be JSON. */
export type RawFrame = { event: string; data: string };

/** One parsed frame of a stream, with its event name if the framing has names. */
export type Frame = { event: string; data: Json };

/**
 * One wire format. `prepare` and `reader` send nothing; apart from credential lookups they are pure. An error thrown by
 * `prepare` becomes a failed request. A reader receives every frame in order and then the end of the stream; it must not
 * throw, whatever the provider sends.
 */
export interface Transport {
  framing: "sse" | "lines" | "event-stream";
  prepare(model: Model, request: ModelRequest): WireRequest | Promise<WireRequest>;
  /** Headers that depend on the exact bytes of the body. */
  sign?(wire: { url: string; headers: Record<string, string>; body: string }, request: ModelRequest): Promise<Json>;
  /** A reduced body to retry with, if the provider rejected an optional feature of this one. Called once. */
  reduceBody?(model: Model, body: Json, refusal: { status: number; text: string }): Json | undefined;
  /** The format has a WebSocket mode; these headers replace those of HTTP when a connection is opened. */
  socketHeaders?: Record<string, string | null>;
  reader(assembly: Assembly, model: Model): Reader;
}

export interface Reader {
  /** `last`: the response is complete, even if the server keeps the connection open. */
  frame(frame: Frame): "last" | undefined;
  end?(): void;
}

/** An environment variable of the request. Empty counts as unset. */
export function readSetting(request: ModelRequest, name: string): string | undefined {
  return (request.env ?? process.env)[name] || undefined;
}
