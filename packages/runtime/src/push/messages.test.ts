import type { InputRequest, SessionView } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import { MAX_PAYLOAD } from "./encrypt.ts";
import { describeFailure, describeRequest } from "./messages.ts";

const session = { id: "ses_1", title: "Rates" } as SessionView;

function request(more: Partial<InputRequest>): InputRequest {
  return {
    id: "inp_1",
    session: "ses_1",
    kind: "approval",
    title: "Run it",
    options: [],
    questions: [],
    ...more,
  } as InputRequest;
}

describe("a notification of a request", () => {
  it("shows the whole command and offers both answers", () => {
    const input = request({ title: "Run a command", tool: { name: "bash", kind: "execute", command: "npm test" } });
    expect(describeRequest(session, input)).toEqual({
      title: "Rates",
      body: "Needs you: Run a command\nnpm test",
      tag: "inp_1",
      path: "/s/ses_1",
      actions: ["allow", "deny"],
    });
  });

  it.each([
    "curl -H 'Authorization: Bearer abcdefghijklmnopqrstuv' https://x.example",
    "OPENAI_API_KEY=sk-abcdefghijklmnopqrst npm test",
    `npm test -- ${"x".repeat(2000)}`,
  ])("offers no Allow for a command that it does not show whole: %s", (command) => {
    const message = describeRequest(session, request({ title: command }));
    expect(message.actions).toEqual(["deny"]);
    expect(message.body).not.toContain("sk-abc");
    expect(message.body).not.toContain("Bearer abc");
    expect(JSON.stringify(message).length).toBeLessThan(MAX_PAYLOAD);
  });

  it.each(["question", "plan", "elicitation", "login"] as const)(
    "offers no answer for a request of the kind %s",
    (kind) => {
      expect(describeRequest(session, request({ kind })).actions).toEqual([]);
    },
  );

  it("redacts secrets in the reason of a failure", () => {
    const { body, actions } = describeFailure(session, "401 for sk-abcdefghijklmnopqrst");
    expect([body, actions]).toEqual(["Failed: 401 for [hidden]", []]);
  });
});
