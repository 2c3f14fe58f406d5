import { GantryError } from "@gantry/protocol";
import { expect, it } from "vitest";
import { TemporaryStore } from "../log/testing/temporary-store.ts";
import type { Plan } from "./job.ts";
import { Jobs } from "./jobs.ts";

const home = new TemporaryStore();
const now = () => "2026-11-16T00:00:00.000Z";

type Data = { log: string[]; fail?: string };

/** A daemon's jobs; `onStep` may throw, which stands here for a daemon that dies at that place. */
function jobsOf(plan: Plan<Data>, onStep?: (where: string) => void): Jobs {
  const jobs = new Jobs({ store: home.store, now, log: () => {}, onStep });
  jobs.register(plan);
  return jobs;
}

const step = (name: string) => ({
  name,
  run: async ({ log, fail }: Data) => {
    if (fail === name) throw new GantryError("conflict", `${name} is in the way`, { remedy: "Move it." });
    return { log: [...log, name] };
  },
});

const plan: Plan<Data> = {
  kind: "build",
  steps: [step("one"), step("two"), step("three")],
  undo: async ({ log }) => ({ log: [...log, "undone"] }),
};

it("does the steps in order, once for an id", async () => {
  const jobs = jobsOf(plan);
  jobs.start<Data>("build", "job_1", { log: [] });
  jobs.start<Data>("build", "job_1", { log: ["other"] });
  expect(await jobs.outcome<Data>("job_1")).toEqual({ log: ["one", "two", "three"] });
  expect(jobs.get("job_1")).toMatchObject({ state: "done", at: 3 });
});

it("undoes completed steps when a step fails, and reports the reason", async () => {
  const jobs = jobsOf(plan);
  jobs.start<Data>("build", "job_1", { log: [], fail: "two" });
  await expect(jobs.outcome("job_1")).rejects.toMatchObject({ code: "conflict", remedy: "Move it." });
  expect(jobs.get<Data>("job_1")).toMatchObject({ state: "failed", data: { log: ["one", "undone"] } });
});

it("resumes the jobs of an earlier daemon at their last step", async () => {
  home.store.records("job").put("job_1", {
    id: "job_1",
    kind: "build",
    state: "running",
    at: 1,
    data: { log: ["one"] },
    createdAt: now(),
    updatedAt: now(),
  });
  home.reopen();
  const jobs = jobsOf(plan);
  expect(jobs.resume()).toBe(1);
  expect(await jobs.outcome<Data>("job_1")).toEqual({ log: ["one", "two", "three"] });
  expect(jobsOf(plan).resume()).toBe(0);
});

it("a stopped daemon begins no further step and leaves the job to the next", async () => {
  const gate = Promise.withResolvers<undefined>();
  const slow: Plan<Data> = { kind: "build", steps: [{ name: "one", run: () => gate.promise }, step("two")] };
  const jobs = jobsOf(slow);
  jobs.start<Data>("build", "job_1", { log: [] });
  const stopped = jobs.stop();
  gate.resolve(undefined);
  await stopped;
  expect(jobs.get("job_1")).toMatchObject({ state: "running", at: 1 });
});
