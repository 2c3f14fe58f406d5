import { createServer } from "node:net";
import { expect, it } from "vitest";
import { listListening, parseLsof } from "./listening.ts";

it("finds the ports on which a process listens", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  expect(await listListening([process.pid])).toContainEqual({ pid: process.pid, port });
  await new Promise((resolve) => server.close(resolve));
  expect(await listListening([process.pid])).not.toContainEqual({ pid: process.pid, port });
  expect(await listListening([])).toEqual([]);
});

it("parses the output of lsof, IPv4 and IPv6, each port once", () => {
  const out = "p812\nf21\nn*:5173\nf22\nn[::1]:5173\nf23\nn127.0.0.1:24678\np900\nf3\nn*:8000\n";
  expect(parseLsof(out)).toEqual([
    { pid: 812, port: 5173 },
    { pid: 812, port: 24678 },
    { pid: 900, port: 8000 },
  ]);
});
