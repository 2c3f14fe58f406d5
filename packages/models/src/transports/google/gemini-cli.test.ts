import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askModel, KEY, modelOf, requestOf } from "../testing/ask-model.ts";

let server: ScriptedModel;
beforeAll(async () => {
  server = await startScriptedModel({ defaults: { pace: 0 } });
});
afterAll(() => server.close());

const model = () => modelOf("google-gemini-cli", server.url);
const last = () => server.requests().at(-1);

test("wraps the request and sends it with the token and the project of the login", async () => {
  const credential = { kind: "oauth", token: "ya29.of-the-login-0123456789", projectId: "of-the-login" } as const;
  const { text, failure } = await askModel(model(), requestOf("[[text]] hi", { credential, sessionId: "s1" }));
  expect(failure).toBeUndefined();
  expect(text).toContain("42");
  expect(last()?.path).toBe("/v1internal:streamGenerateContent?alt=sse");
  expect(last()?.headers.authorization).toBe(`Bearer ${credential.token}`);
  const { body } = last() ?? {};
  expect(body).toMatchObject({ model: "scripted-model", project: "of-the-login", request: { session_id: "s1" } });
  expect(Object.keys(body ?? {}).sort()).toEqual(["model", "project", "request"]);
  expect(JSON.stringify(body?.request)).toContain("Be brief.");
});

/** A server that knows the project of an account, in front of the scripted model. */
function withProject(answer: unknown, seen: string[]): typeof fetch {
  return async (url, init) => {
    seen.push(String(url).split("/").at(-1) ?? "");
    return String(url).endsWith(":loadCodeAssist") ? new Response(JSON.stringify(answer)) : fetch(url, init);
  };
}

test.each([
  ["text", "assigned"],
  ["an object", { id: "assigned" }],
])("asks once for the project that the account has (%s)", async (kind, cloudaicompanionProject) => {
  const seen: string[] = [];
  const credential = { kind: "oauth", token: `ya29.${kind}-0123456789` } as const;
  const more = { credential, env: {}, fetch: withProject({ cloudaicompanionProject }, seen) };
  for (const _ of [1, 2]) {
    expect((await askModel(model(), requestOf("[[text]] hi", more))).failure).toBeUndefined();
    expect(last()?.body.project).toBe("assigned");
  }
  expect(seen.filter((path) => path.includes("loadCodeAssist"))).toHaveLength(1);
});

test.each([[{}], [[]], ["no"], [{ cloudaicompanionProject: 7 }]])(
  "states what to do if the account has no project (%j)",
  async (answer) => {
    const more = { env: {}, fetch: withProject(answer, []) };
    const { failure } = await askModel(model(), requestOf("[[text]] hi", more));
    expect(failure?.message).toContain("GOOGLE_CLOUD_PROJECT");
    expect(failure?.message).not.toContain(KEY);
  },
);
