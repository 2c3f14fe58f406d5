import { join, wireId } from "../shaping/body.ts";
import type { Transport } from "../transport.ts";
import { awsKeys, awsRegion, bedrockKey } from "./credentials.ts";
import { bedrockReader } from "./reader.ts";
import { bedrockBody } from "./request.ts";
import { signAws } from "./sign.ts";

/** Amazon Bedrock's ConverseStream API. */
export const bedrockConverseStream: Transport = {
  framing: "event-stream",
  prepare(model, request) {
    const region = awsRegion(model.baseUrl, request);
    const base = model.baseUrl || `https://bedrock-runtime.${region}.amazonaws.com`;
    return {
      url: join(base, `model/${encodeURIComponent(wireId(model))}/converse-stream`),
      headers: { accept: "application/vnd.amazon.eventstream" },
      body: bedrockBody(model, request),
    };
  },
  async sign(wire, request) {
    const key = bedrockKey(request);
    if (key) return { authorization: `Bearer ${key}` };
    if (request.credential.kind === "none") return {};
    const scope = { region: awsRegion(wire.url, request), service: "bedrock", now: new Date() };
    return signAws(wire, await awsKeys(request), scope);
  },
  reader: (assembly) => bedrockReader(assembly),
};
