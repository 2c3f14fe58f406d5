import type { Client } from "@gantry/client";
import type { DaemonHome } from "../../robustness/daemon-home.ts";

/** A running daemon, and how to call it without the client. */
export type Scene = {
  place: DaemonHome;
  client: Client;
  url: string;
  token: string;
  ask(path: string, init?: RequestInit & { bare?: boolean }): Promise<Response>;
};
