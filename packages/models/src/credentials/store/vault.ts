import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { z } from "zod";
import { type CredentialData, CredentialError } from "../rows.ts";
import type { Keychain } from "./keychain.ts";

const SEALED = "gcm1:";
const CIPHER = "aes-256-gcm";

const Data = z.discriminatedUnion("type", [
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
]);

/** How secrets lie in the database: under a key from the keychain, or, where there is none, as they are. */
export interface Vault {
  /** `place` is what the sealed text belongs to; it cannot be opened in another one. */
  seal(data: CredentialData, place: string): Promise<string>;
  open(text: string, place: string): Promise<CredentialData>;
  /** Where the key is kept, or `undefined`: in the open, protected by the file's mode. Asks the keychain. */
  protection(): Promise<string | undefined>;
}

/** Rejects only with `CredentialError`s. The keychain is asked when the first secret is read or written, and once. */
export function makeVault(keychain: Keychain | undefined): Vault {
  let asked: Promise<Buffer | null | undefined> | undefined;
  const read = () => {
    asked ??= keychain ? keychain.read() : Promise.resolve(undefined);
    return asked;
  };
  const keyForWriting = async () => {
    const key = await read();
    if (key !== null || !keychain) return key ?? undefined;
    const made = await keychain.make();
    asked = Promise.resolve(made);
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
        throw new CredentialError("it is sealed with a key of the keychain, which does not give it");
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
    throw new CredentialError("it was sealed with another key, or changed since");
  }
}

function parse(text: string): CredentialData {
  try {
    return Data.parse(JSON.parse(text));
  } catch {
    // The words of the parser would quote the secret.
    throw new CredentialError("what is stored is not a credential");
  }
}
