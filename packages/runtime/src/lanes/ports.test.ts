import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { expect, it } from "vitest";
import type { LaneRecord } from "./port.ts";
import { leasePorts } from "./ports.ts";

const lane = (start: number, end: number) => ({ ports: { start, end } }) as LaneRecord;
const request = { first: 47_110, count: 10 };

it("leases ranges that do not overlap with those of other lanes", async () => {
  const lanes: LaneRecord[] = [lane(47_115, 47_116)];
  for (let i = 0; i < 3; i++) {
    const { start, end } = await leasePorts(request, () => lanes);
    expect(end - start).toBe(9);
    expect(lanes.some(({ ports }) => ports && ports.start <= end && start <= ports.end)).toBe(false);
    lanes.push(lane(start, end));
  }
});

it.each(["127.0.0.1", "0.0.0.0"])("skips a range in which a process listens on %s", async (host) => {
  const server = createServer();
  const range = await listenInFreeRange(server, host);
  try {
    expect((await leasePorts(request, () => [])).start).toBeGreaterThan(range.start);
  } finally {
    server.close();
  }
});

/** Another process may take the port between the lease and the listen, so this retries. */
async function listenInFreeRange(server: Server, host: string): Promise<{ start: number }> {
  for (let attempt = 0; ; attempt++) {
    const range = await leasePorts(request, () => []);
    try {
      server.listen(range.start + 4, host);
      await once(server, "listening");
      return range;
    } catch (error) {
      if (attempt === 5) throw error;
    }
  }
}

it("throws unavailable when no range is left", async () => {
  const none = leasePorts({ first: 65_530, count: 10 }, () => []);
  await expect(none).rejects.toMatchObject({ code: "unavailable" });
});
