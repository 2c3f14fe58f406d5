import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRequest, parseEndpoint } from "./request.ts";
import { SERVICE_HOST, startPushService } from "./testing/push-service.ts";

describe("the endpoint of a subscription", () => {
  const refused = [
    "http://push.example.org/x",
    "ftp://push.example.org/x",
    "https://me:secret@push.example.org/x",
    "https://localhost/x",
    "https://box/x",
    "https://printer.local/x",
    "https://metadata.google.internal/x",
    "https://127.0.0.1/x",
    "https://2130706433/x",
    "https://0x7f.1/x",
    "https://10.0.0.1/x",
    "https://192.168.1.1:8443/x",
    "https://169.254.169.254/latest",
    "https://[::1]/x",
    "https://[fd00::1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "not an address",
  ];
  it.each(refused)("refuses %s", (endpoint) => {
    expect(() => parseEndpoint(endpoint)).toThrow(expect.objectContaining({ code: "invalid" }));
  });

  it.each(["https://fcm.googleapis.com/fcm/send/x", "https://web.push.apple.com/x", "https://8.8.8.8:8443/x"])(
    "accepts %s",
    (endpoint) => expect(parseEndpoint(endpoint).href).toBe(endpoint),
  );
});

describe("a request to a push service", () => {
  let service: Awaited<ReturnType<typeof startPushService>>;
  beforeAll(async () => {
    service = await startPushService();
  });
  afterAll(() => service.close());

  it("reaches the service over TLS and returns its status", async () => {
    const send = createRequest(service.request);
    const response = await send(new URL(service.endpoint), { ttl: "60" }, Buffer.from("sealed"));
    expect(response).toEqual({ status: 201 });
    expect(service.received[0]).toMatchObject({ path: "/send/abc", headers: { ttl: "60", host: expect.any(String) } });
    expect(service.received[0]?.body.toString()).toBe("sealed");
  });

  it("sends nothing to a public name that resolves to this machine", async () => {
    const before = service.received.length;
    const send = createRequest({ ...service.request, isRefused: undefined });
    await expect(send(new URL(service.endpoint), {}, Buffer.of(1))).rejects.toMatchObject({ code: "invalid" });
    expect(service.received.length).toBe(before);
  });

  it("sends nothing if one of several addresses is private", async () => {
    const resolve = async () => [
      { address: "8.8.8.8", family: 4 },
      { address: "10.0.0.1", family: 4 },
    ];
    await expect(createRequest({ resolve })(new URL(service.endpoint), {}, Buffer.of(1))).rejects.toThrow(SERVICE_HOST);
  });

  it("follows no redirect and requires a trusted certificate", async () => {
    const before = service.received.length;
    service.state.status = 307;
    service.state.headers = { location: "https://push.example.org/other" };
    const send = createRequest(service.request);
    expect((await send(new URL(service.endpoint), {}, Buffer.of(1))).status).toBe(307);
    expect(service.received.length).toBe(before + 1);
    service.state.status = 201;
    const strict = createRequest({ ...service.request, ca: undefined });
    await expect(strict(new URL(service.endpoint), {}, Buffer.of(1))).rejects.toThrow();
    expect(service.received.length).toBe(before + 1);
  });
});
