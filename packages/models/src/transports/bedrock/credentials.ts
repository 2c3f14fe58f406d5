import type { ModelRequest } from "../../stream.ts";
import { readSetting } from "../transport.ts";
import type { AwsKeys } from "./sign.ts";

/** A Bedrock API key, which is sent as a bearer token without a signature. */
export function bedrockKey(request: ModelRequest): string | undefined {
  if (request.credential.kind === "key") return request.credential.key;
  if (request.credential.kind === "oauth") return request.credential.token;
  return readSetting(request, "AWS_BEARER_TOKEN_BEDROCK");
}

/** Keys from the environment, else from AWS's credential chain: profiles, single sign-on, roles, the machine. */
export async function awsKeys(request: ModelRequest): Promise<AwsKeys> {
  const accessKeyId = readSetting(request, "AWS_ACCESS_KEY_ID");
  const secretAccessKey = readSetting(request, "AWS_SECRET_ACCESS_KEY");
  const sessionToken = readSetting(request, "AWS_SESSION_TOKEN");
  if (accessKeyId && secretAccessKey && !readSetting(request, "AWS_PROFILE")) {
    return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) };
  }
  const { defaultProvider } = await import("@aws-sdk/credential-provider-node");
  const profile = readSetting(request, "AWS_PROFILE");
  const found = await defaultProvider(profile ? { profile } : {})();
  return {
    accessKeyId: found.accessKeyId,
    secretAccessKey: found.secretAccessKey,
    ...(found.sessionToken ? { sessionToken: found.sessionToken } : {}),
  };
}

export function awsRegion(baseUrl: string, request: ModelRequest): string {
  const fromUrl = /bedrock-runtime[\w-]*\.([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(baseUrl)?.[1];
  return fromUrl ?? readSetting(request, "AWS_REGION") ?? readSetting(request, "AWS_DEFAULT_REGION") ?? "us-east-1";
}
