import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** What a browser gives out for messages to it, decoded. */
export type BrowserKeys = { publicKey: Buffer; auth: Buffer };

/** Parts that are random. Only tests set them. */
export type EncryptionParts = { salt?: Buffer; privateKey?: Buffer };

const RECORD_BYTES = 4096;
const TAG_BYTES = 16;
/** One record, with its delimiter and tag, that every push service accepts. */
export const MAX_PAYLOAD = 3000;

/**
 * Encrypts a message so that only the browser can read it: RFC 8291 with the content coding `aes128gcm` of RFC 8188, in one
 * record. Throws for keys that are no point of the curve.
 */
export function encryptMessage(text: string, browser: BrowserKeys, parts: EncryptionParts = {}): Buffer {
  const plain = Buffer.from(text);
  if (plain.length > MAX_PAYLOAD) throw new Error("The push message is too long.");
  const salt = parts.salt ?? randomBytes(16);
  const sender = createECDH("prime256v1");
  if (parts.privateKey) sender.setPrivateKey(parts.privateKey);
  else sender.generateKeys();
  const ours = sender.getPublicKey();
  const shared = sender.computeSecret(browser.publicKey);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.publicKey, ours]);
  const secret = derive(shared, browser.auth, info, 32);
  const key = derive(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce, { authTagLength: TAG_BYTES });
  // The delimiter 2 marks the last record.
  const sealed = Buffer.concat([
    cipher.update(plain),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_BYTES);
  return Buffer.concat([salt, size, Buffer.of(ours.length), ours, sealed]);
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, salt, info, bytes));
}
