import { hashText, type TrustItem } from "@gantry/trust";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

let daemon: TestDaemon;
let items: TrustItem[];
const server = (command: string): TrustItem => ({
  kind: "language-server",
  name: "mine",
  file: `${daemon.cwd}/lsp.json`,
  command,
  hash: hashText(command),
});

beforeEach(async () => {
  daemon = new TestDaemon();
  daemon.findProjectCode = async () => items;
  items = [server("/bin/sh one")];
  await daemon.start();
});
afterEach(() => daemon.dispose());

/** The notices of a new session, after its turn. */
async function noticesOfSession(): Promise<string[]> {
  const { id } = await daemon.session("scripted", "[[text]] hello");
  await daemon.waitForIdle(id);
  const log = await daemon.log(id);
  return log.flatMap(({ type, data }) => (type === "notice" && data.kind === "untrusted" ? [data.text] : []));
}

it("names what did not run in the first session of a folder, once for each content", async () => {
  const [text, ...others] = await noticesOfSession();
  expect(others).toEqual([]);
  expect(text).toContain("mine (/bin/sh one)");
  expect(text).toContain(`gantry trust ${daemon.cwd}`);
  expect(await noticesOfSession()).toEqual([]);
  items = [server("/bin/sh two")];
  expect(await noticesOfSession()).toEqual([expect.stringContaining("/bin/sh two")]);
});

it("adds no notice for what is trusted, dismissed or belongs to lanes", async () => {
  await daemon.client.trust.put({ path: daemon.cwd });
  expect(await noticesOfSession()).toEqual([]);
  items = [server("/bin/sh two")];
  await daemon.client.trust.put({ path: daemon.cwd, decision: "later" });
  expect(await noticesOfSession()).toEqual([]);
  items = [{ ...server("x"), kind: "hook" }];
  expect(await noticesOfSession()).toEqual([]);
});
