import { expect, test } from "vitest";
import { acp } from "../acp/acp.ts";
import type { Channel } from "../contract.ts";
import { dialect } from "./dialect.ts";

const line = (small: boolean, error: string) =>
  `timestamp=2026-11-16T07:14:28.956Z level=ERROR run=4a1995f5 message="stream error" providerID=scripted modelID=scripted-model session.id=ses_e1 small=${small} agent=build mode=primary error.error="${error}"`;

test("reports a refused request in its log as a retry while a prompt runs", () => {
  const channel = acp(dialect) as unknown as Channel<{ prompts: unknown[] }>;
  const options = { cwd: "/", mode: "ask", uuid: "u", dir: "/tmp" } as const;
  const idle = channel.initial(options);
  const busy = { ...idle, prompts: [{ id: "3", taken: true }] };
  const text = line(false, "AI_APICallError: Rate limit reached. Please try again in 1.5s.");
  expect(channel.decode(idle, { dir: "err", text })[1]).toEqual([]);
  expect(channel.decode(busy, { dir: "err", text })[1]).toMatchObject([
    { kind: "retry", reason: "Rate limit reached. Please try again in 1.5s.", failure: { category: "rate_limit" } },
  ]);
  // A failed title request does not affect the turn.
  expect(channel.decode(busy, { dir: "err", text: line(true, "AI_RetryError: Failed after 3 attempts.") })[1]).toEqual(
    [],
  );
});
