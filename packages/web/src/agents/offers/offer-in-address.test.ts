import { expect, it } from "vitest";
import { offerInAddress } from "./offer-in-address.ts";

it("finds the offer that an address names, and nothing in others", () => {
  expect(offerInAddress("?offer=one:login")).toEqual({ agent: "one", kind: "login" });
  expect(offerInAddress("offer=two-acp:install&x=1")).toEqual({ agent: "two-acp", kind: "install" });
  expect([offerInAddress(""), offerInAddress("?offer=one"), offerInAddress("?offer=one:rm")]).toEqual(
    Array(3).fill(undefined),
  );
});
