import { expect, it } from "vitest";
import { Script } from "./testing/events.ts";
import { TemporaryStore } from "./testing/temporary-store.ts";

const home = new TemporaryStore();

it("stores records by kind and id across a restart", () => {
  const lanes = () => home.store.records<{ name: string }>("lane");
  lanes().put("lan_2", { name: "two" });
  lanes().put("lan_1", { name: "one" });
  lanes().put("lan_1", { name: "uno" });
  home.store.records("job").put("lan_1", { name: "of another kind" });
  home.reopen();
  expect(lanes().list()).toEqual([{ name: "uno" }, { name: "two" }]);
  lanes().delete("lan_1");
  expect([lanes().get("lan_1"), lanes().get("lan_2")]).toEqual([undefined, { name: "two" }]);
});

it("commits a record with the events of its batch or not at all", () => {
  const { store } = home;
  const [created] = new Script("ses_1").create();
  const records = [{ kind: "job", id: "job_1", value: { step: 1 } }];
  expect(() => store.commit({ session: "ses_1", events: [{ ...created!, seq: 7 }], records })).toThrow("cannot follow");
  expect(store.records("job").list()).toEqual([]);
  store.commit({ session: "ses_1", events: [created!], records });
  expect(store.records("job").get("job_1")).toEqual({ step: 1 });
  store.commit({ session: "ses_1", events: [], records: [{ kind: "job", id: "job_1" }] });
  expect(store.records("job").get("job_1")).toBeUndefined();
});
