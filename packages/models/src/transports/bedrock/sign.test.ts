import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { asObject, asObjects } from "../json.ts";
import { askModel, modelOf, requestOf } from "../testing/ask-model.ts";
import { signAws } from "./sign.ts";

test("signs the example request of the AWS documentation", async () => {
  const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
  const scope = { region: "us-east-1", service: "service", now: new Date("2015-08-30T12:36:00Z") };
  const request = { method: "GET", url: "https://example.amazonaws.com/", headers: {}, body: "" };
  expect((await signAws(request, keys, scope)).authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, " +
      "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
  );
});

describe("the credentials of a Bedrock request", () => {
  let server: ScriptedModel;
  let folder: string;
  beforeAll(async () => {
    server = await startScriptedModel({ defaults: { pace: 0 } });
    folder = await mkdtemp(join(tmpdir(), "gantry-aws-"));
  });
  afterEach(() => {
    delete process.env.AWS_SHARED_CREDENTIALS_FILE;
    delete process.env.AWS_CONFIG_FILE;
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  const send = async (env: Record<string, string>, id = "us.anthropic.claude-sonnet-4-5-v1:0") => {
    const model = modelOf("bedrock-converse-stream", server.url, { id });
    const response = await askModel(
      model,
      requestOf("[[text]] hi", { credential: { kind: "ambient" }, env, thinking: "low" }),
    );
    return { response, seen: server.requests().at(-1) };
  };

  test("come from environment keys", async () => {
    const { response, seen } = await send({
      AWS_ACCESS_KEY_ID: "AKIDTEST",
      AWS_SECRET_ACCESS_KEY: "dummy",
      AWS_SESSION_TOKEN: "tok-1",
      AWS_REGION: "eu-west-1",
    });
    expect(response.text).toContain("42");
    expect(seen?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDTEST\/\d{8}\/eu-west-1\/bedrock\/aws4_request/,
    );
    expect(seen?.headers["x-amz-security-token"]).toBe("tok-1");
    expect(seen?.path).toBe("/model/us.anthropic.claude-sonnet-4-5-v1%3A0/converse-stream");
    expect(asObject(seen?.body.additionalModelRequestFields).thinking).toMatchObject({ type: "enabled" });
    expect(asObjects(seen?.body.system).at(-1)).toEqual({ cachePoint: { type: "default" } });
  });

  test("come from a profile through AWS's credential chain", async () => {
    const file = join(folder, "credentials");
    await writeFile(file, "[work]\naws_access_key_id = AKIDPROFILE\naws_secret_access_key = dummy\n");
    process.env.AWS_SHARED_CREDENTIALS_FILE = file;
    process.env.AWS_CONFIG_FILE = join(folder, "none");
    const { seen } = await send({ AWS_PROFILE: "work" });
    expect(seen?.headers.authorization).toContain("Credential=AKIDPROFILE/");
  });

  test("are a bearer token for a Bedrock API key", async () => {
    expect((await send({ AWS_BEARER_TOKEN_BEDROCK: "bedrock-key" })).seen?.headers.authorization).toBe(
      "Bearer bedrock-key",
    );
  });

  test("do not change that models without cache points get none", async () => {
    const { seen } = await send({ AWS_BEARER_TOKEN_BEDROCK: "bedrock-key" }, "meta.llama4");
    expect(JSON.stringify(seen?.body)).not.toContain("cachePoint");
  });
});
