import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ADDRESS = "blob:sha256:";

/** Stores base64 data and returns its address; `undefined` if it is not plain base64 or cannot be written. */
export function storeBlob(folder: string, base64: string): string | undefined {
  if (base64.startsWith(ADDRESS)) return base64;
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") !== base64) return undefined;
  const hash = createHash("sha256").update(bytes).digest("hex");
  const file = join(folder, hash);
  if (existsSync(file)) return ADDRESS + hash;
  const draft = `${file}.${randomBytes(4).toString("hex")}.draft`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    rmSync(draft, { force: true });
    return undefined;
  }
  return ADDRESS + hash;
}

export function mentionsBlob(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith(ADDRESS);
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(mentionsBlob);
}

/** A copy with image data loaded. A missing image is replaced by a note for the model. */
export function withBlobs<Value>(value: Value, folder: string): Value {
  return restore(value, folder) as Value;
}

function restore(value: unknown, folder: string): unknown {
  if (Array.isArray(value)) return value.map((item) => restore(item, folder));
  if (typeof value !== "object" || value === null) return value;
  const { type, data, mimeType } = value as { type?: unknown; data?: unknown; mimeType?: unknown };
  if (type === "image" && typeof data === "string" && data.startsWith(ADDRESS)) {
    const base64 = readBlob(folder, data);
    if (base64 !== undefined) return { ...value, data: base64 };
    return { type: "text", text: `[An image (${String(mimeType)}) was here. Its file ${data} is missing.]` };
  }
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, restore(inner, folder)]));
}

function readBlob(folder: string, address: string): string | undefined {
  const hash = address.slice(ADDRESS.length);
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
  try {
    const bytes = readFileSync(join(folder, hash));
    if (createHash("sha256").update(bytes).digest("hex") !== hash) return undefined;
    return bytes.toString("base64");
  } catch {
    return undefined;
  }
}
