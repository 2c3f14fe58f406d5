import type { Outcome } from "../attack.ts";

/** A request that the owner of the server may make. */
export type Call = { method: "GET" | "POST"; path: string; body?: unknown };

/**
 * A running server on loopback, as the attacks see it. Gantry and its peers are attacked through the same calls: one that
 * reveals a secret and one that changes something.
 */
export type LocalServer = {
  name: string;
  url: string;
  /** Headers that prove the owner. Empty where the server asks for nothing. */
  owner: Record<string, string>;
  reading: Call;
  /** Occurs in the owner's answer to `reading`, in the home folder and nowhere else. */
  secret: string;
  changing: Call;
  /** An address that logs a browser in, for a server with a page. */
  visit?(): Promise<string>;
  /** How many changes the server has made. */
  countChanges(): Promise<number>;
  pid: number;
  stop(): Promise<void>;
};

/** An attack over the network. */
export type NetworkAttack = {
  name: string;
  class: string;
  run(server: LocalServer): Promise<Outcome>;
};

export const HELD: Outcome = { held: true };

export function effect(text: string): Outcome {
  return { held: false, effect: text };
}
