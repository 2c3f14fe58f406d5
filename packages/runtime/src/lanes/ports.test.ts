import { createServer } from "node:net";
import { expect, it } from "vitest";
import type { LaneRecord } from "./port.ts";
import { leasePorts } from "./ports.ts";

const lane = (start: number, end: number) => ({ ports: { start, end } }) as LaneRecord;
const wish = { first: 47_110, count: 10 };

it("gives ranges that never overlap with those of other lanes", async () => {
  const lanes: LaneRecord[] = [lane(47_115, 47_116)];
  for (let i = 0; i < 3; i++) {
    const { start, end } = await leasePorts(wish, () => lanes);
    expect(end - start).toBe(9);
    expect(lanes.some(({ ports }) => ports && ports.start <= end && start <= ports.end)).toBe(false);
    lanes.push(lane(start, end));
  }
});

it.each(["127.0.0.1", "0.0.0.0"])("leaves out a range in which somebody listens on %s", async (host) => {
  const range = await leasePorts(wish, () => []);
  const server = createServer();
  await new Promise<void>((done) => server.listen(range.start + 4, host, done));
  try {
    expect((await leasePorts(wish, () => [])).start).toBeGreaterThan(range.end);
  } finally {
    server.close();
  }
});

it("says so when there is none left", async () => {
  const none = leasePorts({ first: 65_530, count: 10 }, () => []);
  await expect(none).rejects.toMatchObject({ code: "unavailable" });
});
