import { expect, it } from "vitest";
import { findInterfaceText } from "./interface.ts";

const phrases = (source: string) => findInterfaceText(source).map(({ phrase }) => phrase);

it("finds backticks, ids, keys of settings and title case in text that a person reads", () => {
  expect(phrases("const a = <p>Run `gantry web`.</p>;")).toEqual(["Run `gantry web`."]);
  expect(phrases('const a = <Button label="Session ses_01m7" />;')).toEqual(["Session ses_01m7"]);
  expect(phrases("const a = <td>deadlines.silenceSeconds</td>;")).toEqual(["deadlines.silenceSeconds"]);
  expect(phrases('const tab = { name: "Trusted Folders" };')).toEqual(["Trusted Folders"]);
});

it("accepts sentence case, names, and strings that are not shown", () => {
  expect(phrases("const a = <p>Trusted folders of Gantry</p>;")).toEqual([]);
  expect(phrases('const a = <p title="Agent Client Protocol">Deny with feedback</p>;')).toEqual([]);
  expect(phrases('const key = "deadlines.silenceSeconds"; const a = <p id="Trusted Folders" />;')).toEqual([]);
});
