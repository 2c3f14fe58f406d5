import { createHash, createHmac } from "node:crypto";

export type AwsKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
export type Signable = { url: string; headers: Record<string, string>; body: string };

/** Headers on the way that proxies may change. */
const UNSIGNED = new Set(["user-agent", "accept", "connection", "content-length", "authorization", "x-amzn-trace-id"]);

/** The headers that prove a POST to an AWS service, after version 4 of its signatures. Pure. */
export function signAws(
  request: Signable & { method?: string },
  keys: AwsKeys,
  scope: { region: string; service: string; now: Date },
): Record<string, string> {
  const url = new URL(request.url);
  const time = scope.now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const day = time.slice(0, 8);
  const added: Record<string, string> = {
    "x-amz-date": time,
    ...(keys.sessionToken ? { "x-amz-security-token": keys.sessionToken } : {}),
  };
  const signed = Object.entries({ ...request.headers, ...added, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/\s+/g, " ")] as const)
    .filter(([name]) => !UNSIGNED.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    request.method ?? "POST",
    // The path as it is sent is encoded once more for every service but S3.
    url.pathname.split("/").map(encode).join("/"),
    [...url.searchParams]
      .map(([key, value]) => `${encode(key)}=${encode(value)}`)
      .sort()
      .join("&"),
    ...signed.map(([name, value]) => `${name}:${value}`),
    "",
    names,
    sha256(request.body),
  ].join("\n");
  const place = `${day}/${scope.region}/${scope.service}/aws4_request`;
  const text = ["AWS4-HMAC-SHA256", time, place, sha256(canonical)].join("\n");
  const key = [day, scope.region, scope.service, "aws4_request"].reduce<string | Buffer>(
    (secret, part) => hmac(secret, part),
    `AWS4${keys.secretAccessKey}`,
  );
  const signature = hmac(key, text).toString("hex");
  const authorization = `AWS4-HMAC-SHA256 Credential=${keys.accessKeyId}/${place}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...added, authorization };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
