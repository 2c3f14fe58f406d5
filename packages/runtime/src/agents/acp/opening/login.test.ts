import { expect, test } from "vitest";
import { gemini } from "../../gemini/descriptor.ts";
import { kimi } from "../../kimi/descriptor.ts";
import { FakeConversation } from "../testing/conversation.ts";
import { readMethods } from "./login-methods.ts";

const loginNeeded = { code: -32000, message: "Authentication required" };
const authMethods = [
  { id: "oauth", name: "Log in with Google" },
  { id: "key", name: "Key", description: "Your API key" },
];

function askForLogin(methods: object[] = authMethods) {
  const conversation = new FakeConversation(gemini);
  conversation.answer({ protocolVersion: 1, authMethods: methods });
  return { conversation, outputs: conversation.refuse(loginNeeded) };
}

function choose(conversation: FakeConversation, option: string) {
  return conversation.command({
    type: "answer",
    key: "login",
    answer: { decision: "allow", option },
    request: {} as never,
  });
}

const failed = expect.objectContaining({
  kind: "finish",
  outcome: "failed",
  error: expect.objectContaining({ category: "auth", remedy: expect.stringContaining("gemini") }),
});

test("offers a login that the agent performs itself, sends it once and opens the conversation", () => {
  const { conversation, outputs } = askForLogin();
  const options = [{ id: "oauth" }, { id: "key", description: "Your API key" }, { id: "later", effect: "deny" }];
  expect(outputs).toMatchObject([{ kind: "ack" }, { kind: "ask", key: "login", request: { kind: "login", options } }]);
  choose(conversation, "key");
  expect(conversation.last).toMatchObject({ method: "authenticate", params: { methodId: "key" } });
  conversation.answer({});
  expect(conversation.last.method).toBe("session/new");
  expect(conversation.refuse(loginNeeded)).toContainEqual(failed);
});

test("ends the turn when the agent refuses a login", () => {
  const { conversation } = askForLogin();
  choose(conversation, "oauth");
  expect(conversation.refuse({ code: -32603, message: "The browser was closed" })).toContainEqual(failed);
});

test("ends the turn with the login command if the agent advertises no login", () => {
  expect(askForLogin([]).outputs).toContainEqual(failed);
});

test("describes terminal and variable logins and sends nothing to the agent", () => {
  const conversation = new FakeConversation(kimi);
  const terminal = { id: "login", type: "terminal", name: "Login" };
  const variable = { id: "key", type: "env_var", name: "Key", vars: [{ name: "KIMI_KEY" }] };
  conversation.answer({ protocolVersion: 1, authMethods: [terminal, variable] });
  expect(conversation.refuse(loginNeeded)[1]).toMatchObject({
    request: {
      options: [
        { id: "login", effect: "allow_once", description: expect.stringContaining("`kimi login`") },
        { id: "key", effect: "deny", description: expect.stringContaining("KIMI_KEY") },
        { id: "later" },
      ],
    },
  });
  expect(choose(conversation, "login")).toBeUndefined();
  expect(choose(conversation, "later")).toBeUndefined();
});

test.each([
  [
    { id: "a", name: "A" },
    { id: "a", name: "A", how: "agent" },
  ],
  [
    { methodId: "a", type: "agent" },
    { id: "a", name: "a", how: "agent" },
  ],
  [
    { id: "a", _meta: { type: "terminal", args: ["--x"] } },
    { id: "a", name: "a", how: "terminal" },
  ],
  [
    { id: "a", _meta: { "terminal-auth": { command: "x" } } },
    { id: "a", name: "a", how: "terminal" },
  ],
  [
    { id: "a", description: "Run `x login` in the terminal" },
    { id: "a", name: "a", how: "terminal", description: "Run `x login` in the terminal" },
  ],
  [
    { id: "a", type: "env_var", varName: "X" },
    { id: "a", name: "a", how: "variables", variables: ["X"] },
  ],
])("reads the login method %j", (method, read) => {
  expect(readMethods([method])).toEqual([read]);
});

test("skips invalid login methods", () => {
  expect(readMethods(undefined)).toEqual([]);
  expect(readMethods([null, "x", { name: "no id" }, 7])).toEqual([]);
});
