import type { Client } from "@gantry/client";
import { GantryError } from "@gantry/protocol";
import type { GatewayDefaults } from "../gateway.ts";
import { toRequestError } from "../requests/errors.ts";
import type { Recover } from "../requests/retry.ts";

export type AcpOptions = {
  /** A client of the daemon with the rights of the caller. */
  client: Client;
  recover?: Recover;
  defaults?: GatewayDefaults;
  version: string;
  /** Writes a line about a problem. It has no secret. */
  report(line: string): void;
};

/** Runs a request. Errors of the daemon become errors of the protocol. */
export async function answer<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toRequestError(error);
  }
}

/** Session ids come from the client: anything else than a text is a mistake of the client. */
export function requireCwd(cwd: string): void {
  if (!cwd.startsWith("/")) throw new GantryError("invalid", `The folder ${cwd} is not an absolute path.`);
}
