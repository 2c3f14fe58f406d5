import { expect, it, vi } from "vitest";

vi.mock("./run-setup.ts", () => ({ runSetup: () => undefined }));
const { parseSetupParam } = await import("./use-setup-from-url.ts");

it("parses the setup command of an address and ignores malformed ones", () => {
  expect(parseSetupParam("?offer=one:login")).toEqual({ agent: "one", kind: "login" });
  expect(parseSetupParam("offer=two-acp:install&x=1")).toEqual({ agent: "two-acp", kind: "install" });
  expect([parseSetupParam(""), parseSetupParam("?offer=one"), parseSetupParam("?offer=one:rm")]).toEqual(
    Array(3).fill(undefined),
  );
});
