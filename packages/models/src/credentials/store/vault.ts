import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";
import { once } from "../../once.ts";
import { type CredentialData, CredentialError } from "../stored-credential.ts";
import type { Keychain } from "./keychain.ts";

const SEALED = "gcm1:";
const CIPHER = "aes-256-gcm";

const Data = once(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("api_key"), key: z.string().min(1) }),
    z.object({
      type: z.literal("oauth"),
      access: z.string(),
      refresh: z.string(),
      expires: z.number(),
      accountId: z.string().optional(),
      projectId: z.string().optional(),
      email: z.string().optional(),
      state: z.string().optional(),
    }),
  ]),
);

/** Encodes secrets for the database: encrypted with a key from the keychain, or in plain text where there is none. */
export interface Vault {
  /** `place` identifies the row that the text belongs to. Text copied to another row cannot be opened. */
  seal(data: CredentialData, place: string): Promise<string>;
  open(text: string, place: string): Promise<CredentialData>;
  /** The keychain that holds the key. `undefined`: plain text, protected by file permissions. Queries the keychain. */
  protection(): Promise<string | undefined>;
}

/** Rejects only with `CredentialError`s. Queries the keychain once, when the first secret is read or written. */
export function makeVault(keychain: Keychain | undefined): Vault {
  let stored: Promise<Buffer | null | undefined> | undefined;
  const read = () => {
    stored ??= keychain ? keychain.read() : Promise.resolve(undefined);
    return stored;
  };
  const keyForWriting = async () => {
    const key = await read();
    if (key !== null || !keychain) return key ?? undefined;
    const made = await keychain.make();
    stored = Promise.resolve(made);
    return made;
  };
  return {
    async seal(data, place) {
      const text = JSON.stringify(data);
      const key = await keyForWriting();
      return key ? encrypt(text, key, place) : text;
    },
    async open(text, place) {
      const key = text.startsWith(SEALED) ? await read() : undefined;
      if (text.startsWith(SEALED) && !key)
        throw new CredentialError("it is encrypted, and the keychain does not provide the key");
      const plain = key ? decrypt(text, key, place) : text;
      return parse(plain);
    },
    async protection() {
      return (await read()) === undefined ? undefined : keychain?.name;
    },
  };
}

function encrypt(text: string, key: Buffer, place: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return SEALED + Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64");
}

function decrypt(text: string, key: Buffer, place: string): string {
  const bytes = Buffer.from(text.slice(SEALED.length), "base64");
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(12, 28));
    return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
  } catch {
    throw new CredentialError("it was encrypted with another key, or modified");
  }
}

function parse(text: string): CredentialData {
  try {
    return Data().parse(JSON.parse(text));
  } catch {
    // The parser's message would quote the secret.
    throw new CredentialError("the stored data is not a credential");
  }
}
