import { expect, it } from "vitest";
import { encryptMessage, MAX_PAYLOAD } from "./encrypt.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

it("encrypts the example of RFC 8291 to the bytes that the RFC prints", () => {
  const browser = {
    publicKey: bytes("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"),
    auth: bytes("BTBZMqHH6r4Tts7J_aSIgg"),
  };
  const parts = {
    salt: bytes("DGv6ra1nlYgDCS1FRnbzlw"),
    privateKey: bytes("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
  };
  const sealed = encryptMessage("When I grow up, I want to be a watermelon", browser, parts);
  expect(sealed.toString("base64url")).toBe(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
  );
});

it("refuses a message that does not fit into one record", () => {
  const browser = { publicKey: Buffer.alloc(65, 4), auth: Buffer.alloc(16) };
  expect(() => encryptMessage("x".repeat(MAX_PAYLOAD + 1), browser)).toThrow("too long");
});
