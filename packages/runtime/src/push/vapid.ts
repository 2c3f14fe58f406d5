import { createPrivateKey, generateKeyPairSync, type JsonWebKey, sign } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "push-keys.json";
const TOKEN_SECONDS = 12 * 3600;

/** The key pair that identifies this daemon to push services (RFC 8292). `publicKey` is the uncompressed point. */
export type ServerKeys = { publicKey: string; privateKey: JsonWebKey };

/** Reads the keys of a home folder, or creates them, readable by the owner alone. */
export function openServerKeys(home: string): ServerKeys {
  const path = join(home, FILE);
  try {
    const { publicKey, privateKey } = JSON.parse(readFileSync(path, "utf8")) as ServerKeys;
    createPrivateKey({ key: privateKey, format: "jwk" });
    return { publicKey, privateKey };
  } catch (error) {
    // Damaged keys are of no use: browsers subscribe again with the new ones.
    if ((error as NodeJS.ErrnoException).code === "EACCES") throw error;
  }
  const privateKey = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey.export({ format: "jwk" });
  const [x, y] = [privateKey.x, privateKey.y].map((part) => Buffer.from(part ?? "", "base64url"));
  const publicKey = Buffer.concat([Buffer.of(4), x ?? Buffer.of(), y ?? Buffer.of()]).toString("base64url");
  const keys: ServerKeys = { publicKey, privateKey };
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(keys)}\n`, { mode: 0o600 });
  renameSync(next, path);
  return keys;
}

/** The `Authorization` of a request to a push service: a token signed for this service, valid for half a day. */
export function signVapid(endpoint: URL, keys: ServerKeys, contact: string, now: number): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { aud: endpoint.origin, exp: Math.floor(now / 1000) + TOKEN_SECONDS, sub: contact };
  const content = `${encode({ typ: "JWT", alg: "ES256" })}.${encode(claims)}`;
  const key = createPrivateKey({ key: keys.privateKey, format: "jwk" });
  const signature = sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" });
  return `vapid t=${content}.${signature.toString("base64url")}, k=${keys.publicKey}`;
}
