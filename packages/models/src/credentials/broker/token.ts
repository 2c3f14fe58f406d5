import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Replaces the token. Clients with the old one are rejected after the broker restarts. */
export function newBrokerToken(agentDir: string): ReturnType<typeof brokerToken> {
  rmSync(join(agentDir, "broker.token"), { force: true });
  return brokerToken(agentDir);
}

/** The token for clients of this folder's broker. Created on first use, readable by its owner only. */
export function brokerToken(agentDir: string): { token: string; file: string; made: boolean } {
  const file = join(agentDir, "broker.token");
  mkdirSync(agentDir, { recursive: true, mode: 0o700 });
  try {
    const token = `gbt_${randomBytes(32).toString("base64url")}`;
    writeFileSync(file, `${token}\n`, { mode: 0o600, flag: "wx" });
    return { token, file, made: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    chmodSync(file, 0o600);
    return { token: readFileSync(file, "utf8").trim(), file, made: false };
  }
}
