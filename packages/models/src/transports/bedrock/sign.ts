import { AwsV4Signer } from "aws4fetch";

export type AwsKeys = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
export type SignableRequest = { method?: string; url: string; headers: Record<string, string>; body: string };

/** Returns the headers that authenticate a request to an AWS service with Signature Version 4. */
export async function signAws(
  request: SignableRequest,
  keys: AwsKeys,
  scope: { region: string; service: string; now: Date },
): Promise<Record<string, string>> {
  const { region, service, now } = scope;
  const datetime = now.toISOString().replace(/[-:]|\.\d{3}/g, "");
  const { headers } = await new AwsV4Signer({ method: "POST", ...request, ...keys, region, service, datetime }).sign();
  return Object.fromEntries(
    ["authorization", "x-amz-date", "x-amz-security-token"].flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
