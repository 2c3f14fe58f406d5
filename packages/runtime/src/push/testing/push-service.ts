import { execFileSync } from "node:child_process";
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import type { PushMessage } from "@gantry/protocol";
import type { RequestOptions } from "../request.ts";

export const SERVICE_HOST = "push.example.org";

export type Received = { headers: IncomingHttpHeaders; body: Buffer; path: string };

/** A push service on this machine: a real TLS server that records every request and answers with `status`. */
export async function startPushService() {
  const { key, cert } = makeCertificate();
  const received: Received[] = [];
  const state = { status: 201, headers: {} as Record<string, string> };
  const server = createServer({ key, cert }, async (incoming, outgoing) => {
    received.push({ headers: incoming.headers, body: await buffer(incoming), path: incoming.url ?? "" });
    outgoing.writeHead(state.status, state.headers).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const request: RequestOptions = {
    ca: cert,
    isRefused: () => false,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  };
  return {
    endpoint: `https://${SERVICE_HOST}:${port}/send/abc`,
    ...{ received, state, request },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** A browser's side of a subscription: makes the keys and decrypts what is sent to it. */
export class BrowserSide {
  readonly #ecdh = createECDH("prime256v1");
  readonly #auth = randomBytes(16);

  constructor() {
    this.#ecdh.generateKeys();
  }

  get keys(): { p256dh: string; auth: string } {
    return { p256dh: this.#ecdh.getPublicKey("base64url"), auth: this.#auth.toString("base64url") };
  }

  /** Reads the record with the inverse of RFC 8291, written separately from the code under test. */
  decrypt(body: Buffer): PushMessage {
    const salt = body.subarray(0, 16);
    const sender = body.subarray(21, 21 + (body[20] ?? 0));
    const sealed = body.subarray(21 + sender.length);
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.#ecdh.getPublicKey(), sender]);
    const secret = hkdfSync("sha256", this.#ecdh.computeSecret(sender), this.#auth, info, 32);
    const expand = (label: string, bytes: number) =>
      Buffer.from(hkdfSync("sha256", Buffer.from(secret), salt, `Content-Encoding: ${label}\0`, bytes));
    const decipher = createDecipheriv("aes-128-gcm", expand("aes128gcm", 16), expand("nonce", 12));
    decipher.setAuthTag(sealed.subarray(-16));
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString()) as PushMessage;
  }
}

/** Verifies the signature of an `Authorization: vapid` header and returns its claims and key. */
export function readVapid(authorization = ""): { claims: { aud: string; exp: number; sub: string }; key: string } {
  const [, token = "", key = ""] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const publicKey = createPublicKey({ key: { kty: "EC", crv: "P-256", x, y }, format: "jwk" });
  const signed = Buffer.from(`${head}.${claims}`);
  const isValid = verify(
    "sha256",
    signed,
    { key: publicKey, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  if (!isValid) throw new Error("The signature is not valid.");
  return { claims: JSON.parse(Buffer.from(claims, "base64url").toString()), key };
}

function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "gantry-push-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const subject = ["-subj", `/CN=${SERVICE_HOST}`, "-addext", `subjectAltName=DNS:${SERVICE_HOST}`];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, ...subject], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
