import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";
import { formatMetrics } from "./prometheus.ts";

describe("the text format", () => {
  it("escapes help and labels, and prints one sample a line", () => {
    const samples = [
      { labels: { model: 'a"b\\c\nd' }, value: 2 },
      { labels: { model: "x" }, value: 0.5 },
    ];
    expect(formatMetrics([{ name: "m_total", help: "Two\nlines.", type: "counter", samples }])).toBe(
      '# HELP m_total Two\\nlines.\n# TYPE m_total counter\nm_total{model="a\\"b\\\\c\\nd"} 2\nm_total{model="x"} 0.5\n',
    );
  });

  it("has one line for each sample, whatever the labels contain", () => {
    const label = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(fc.array(label, { maxLength: 5 }), (values) => {
        const samples = values.map((agent) => ({ labels: { agent }, value: 1 }));
        const text = formatMetrics([{ name: "m", help: "x", type: "gauge", samples }]);
        expect(text.split("\n")).toHaveLength(values.length + 3);
        for (const line of text.split("\n").slice(2, -1)) expect(line).toMatch(/^m\{agent="(?:[^"\\]|\\.)*"\} 1$/su);
      }),
    );
  });
});

describe("the metrics of a daemon", () => {
  const daemon = new TestDaemon();
  beforeAll(() => daemon.start());
  afterAll(() => daemon.dispose());
  const read = (token: string) =>
    fetch(`${daemon.daemon.url}/v1/metrics`, { headers: { authorization: `Bearer ${token}` } });

  it("count events, turns and usage", async () => {
    const { id } = await daemon.session("scripted", "[[text]] hello");
    await daemon.waitForIdle(id);
    const response = await read(daemon.daemon.token);
    expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    const text = await response.text();
    const value = (name: string) =>
      Number(
        text
          .split("\n")
          .find((line) => line.startsWith(`${name} `))
          ?.split(" ")[1],
      );
    expect(value("gantry_events_total")).toBe((await daemon.log(id)).length);
    expect(value('gantry_turns_total{outcome="completed"}')).toBe(1);
    expect(value('gantry_sessions{state="idle"}')).toBe(1);
    expect(value('gantry_database_bytes{file="gantry.db"}')).toBeGreaterThan(0);
    expect(text).not.toContain("hello");
    expect(await daemon.client.metrics()).toContain("gantry_build_info");
  });

  it("are refused to the page", async () => {
    const { ticket } = await daemon.client.ticket();
    const { credential } = await daemon.client.redeem(ticket);
    const response = await read(credential);
    expect([response.status, await response.json()]).toMatchObject([403, { error: { code: "not_permitted" } }]);
  });
});
