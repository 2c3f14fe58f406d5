import { expect, it, vi } from "vitest";
import { startServer } from "../testing/server.harness.ts";

const loaded = vi.hoisted(() => ({ times: 0 }));
vi.mock(import("../validate.ts"), (original) => {
  loaded.times++;
  return original();
});

it("loads the schemas of the first call when it has served the page, and not before", async () => {
  const server = await startServer();
  expect((await server.ask("/assets/none.js")).status).toBe(404);
  expect((await server.ask("/v1/health")).status).toBe(200);
  expect(loaded.times).toBe(0);
  expect((await server.ask("/s/ses_1")).status).toBe(200);
  await vi.waitUntil(() => loaded.times === 1);
  await server.server.close();
});
