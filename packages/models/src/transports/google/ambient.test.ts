import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askModel, modelOf, requestOf } from "../testing/ask-model.ts";

let server: ScriptedModel;
const TOKEN = "ya29.from-the-machine-0123456789";
/** A fake of the metadata server of Google's machines. */
const metadata = createServer((request, response) => {
  const body = request.url?.includes("/token") ? { access_token: TOKEN, expires_in: 3600, token_type: "Bearer" } : "ok";
  response.writeHead(200, { "metadata-flavor": "Google", "content-type": "application/json" });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
});

beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0 } });
  await new Promise<void>((resolve) => metadata.listen(0, "127.0.0.1", resolve));
  process.env.GCE_METADATA_HOST = `127.0.0.1:${(metadata.address() as AddressInfo).port}`;
  process.env.METADATA_SERVER_DETECTION = "assume-present";
});
afterAll(async () => {
  delete process.env.GCE_METADATA_HOST;
  delete process.env.METADATA_SERVER_DETECTION;
  await server.close();
  await new Promise((resolve) => metadata.close(resolve));
});

test("authenticates at Vertex with the machine's metadata credentials", async () => {
  const request = requestOf("[[text]] hi", { credential: { kind: "ambient" } });
  const { text, failure } = await askModel(modelOf("google-vertex", server.url), request);
  expect(failure).toBeUndefined();
  expect(text).toContain("42");
  expect(server.requests().at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
});
