import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Model } from "@gantry/protocol";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";
import { allowedEfforts } from "./efforts.ts";

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const someModel: fc.Arbitrary<Model> = fc.record({
  id: word,
  name: word,
  default: fc.boolean(),
  efforts: fc.array(word, { maxLength: 4 }),
});

it("allows only what the agent lists, and always names at least one effort", () => {
  fc.assert(
    fc.property(fc.array(someModel, { maxLength: 6 }), fc.option(word, { nil: undefined }), (models, model) => {
      const allowed = allowedEfforts(models, model);
      expect(allowed.length).toBeGreaterThan(0);
      const listed = models.flatMap(({ efforts }) => efforts);
      if (listed.length > 0) expect(listed).toEqual(expect.arrayContaining([...allowed]));
      const own = models.find(({ id, default: standard }) => (model === undefined ? standard : id === model))?.efforts;
      if (own?.length) expect(allowed).toEqual(own);
    }),
  );
});

describe("a daemon with an agent that lists its efforts", () => {
  const daemon = new TestDaemon();
  const models =
    "[{ id: big, name: Big, default: true, efforts: [low, ultra] }, { id: small, name: S, efforts: [tiny] }]";
  const profile = `id: mine\nname: Mine\nextends: scripted\nmodels: ${models}\n`;
  const refused = (allowed: string[]) => ({ code: "invalid", details: { field: "effort", allowed } });
  beforeAll(async () => {
    mkdirSync(join(daemon.home, "gantry", "agents"), { recursive: true });
    writeFileSync(join(daemon.home, "gantry", "agents", "mine.yml"), profile);
    await daemon.start();
  });
  afterAll(() => daemon.dispose());

  it("refuses another effort on every call that takes one, with the allowed list and nothing created", async () => {
    const { client, cwd } = daemon;
    const wrong = { agent: "mine", cwd, effort: "banana" };
    const big = refused(["low", "ultra"]);
    await expect(client.sessions.create(wrong)).rejects.toMatchObject(big);
    await expect(client.sessions.create({ ...wrong, model: "small" })).rejects.toMatchObject(refused(["tiny"]));
    await expect(
      client.launches.create({ prompt: "go", cwd, slots: [wrong].map(({ cwd: _, ...slot }) => slot) }),
    ).rejects.toMatchObject(big);
    await expect(client.schedules.add({ create: wrong, text: "go", every: 60 })).rejects.toMatchObject(big);
    const identity = { agent: "mine", effort: "banana", persona: "p" };
    await expect(client.identities.put("keeper", identity)).rejects.toMatchObject(big);
    expect((await client.sessions.list()).sessions).toEqual([]);
    expect(await client.schedules.list()).toEqual([]);
    expect((await client.identities.list()).identities).toEqual([]);
  });

  it("checks a change and a handoff against the model that will apply", async () => {
    const { client, cwd } = daemon;
    const { id } = await client.sessions.create({ agent: "mine", cwd, effort: "ultra" });
    await expect(client.sessions.patch(id, { effort: "tiny" })).rejects.toMatchObject(refused(["low", "ultra"]));
    await client.sessions.patch(id, { model: "small", effort: "tiny" });
    expect(await client.sessions.get(id)).toMatchObject({ model: "small", effort: "tiny" });
    const handoff = { agent: "mine", model: "big", effort: "tiny" };
    await expect(client.sessions.handOff(id, handoff)).rejects.toMatchObject(refused(["low", "ultra"]));
  });
});
