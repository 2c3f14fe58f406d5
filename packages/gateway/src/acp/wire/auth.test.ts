import type { AgentRow } from "@gantry/protocol";
import { describe, expect, it } from "vitest";
import type { Api } from "../session/api.ts";
import { checkLogin, loginMethods } from "./auth.ts";

const offer = {
  kind: "login",
  agent: "claude",
  title: "Log in",
  command: ["claude", "login"],
  display: "claude login",
};

/** A daemon with one agent. */
function apiWith(state: "ok" | "missing", isBroken = false): Api {
  const agent = {
    id: "claude",
    name: "Claude Code",
    auth: { state, how: "no key" },
    offers: [offer],
  } as unknown as AgentRow;
  const get = async () => {
    if (isBroken) throw new Error("down");
    return { agent, offers: [offer] };
  };
  const client = { agents: { get, list: async () => [agent] } } as unknown as Api["client"];
  return { client, report: () => {}, signal: new AbortController().signal };
}

describe("login methods", () => {
  it("list the agents that are not logged in, with the arguments that log them in", async () => {
    expect(await loginMethods(apiWith("missing"), undefined)).toMatchObject([
      { id: "login-claude", name: "Log in to Claude Code", args: ["--login", "claude"], command: ["claude", "login"] },
    ]);
    expect(await loginMethods(apiWith("ok"), "claude")).toEqual([]);
    expect(await loginMethods(apiWith("missing", true), "claude")).toEqual([]);
  });

  it("succeed when the agent is logged in, and report the command otherwise", async () => {
    await checkLogin(apiWith("ok"), "login-claude");
    await expect(checkLogin(apiWith("missing"), "login-claude")).rejects.toMatchObject({
      code: -32000,
      message: expect.stringContaining("claude login"),
    });
    await expect(checkLogin(apiWith("ok"), "other")).rejects.toMatchObject({ code: -32602 });
  });
});
