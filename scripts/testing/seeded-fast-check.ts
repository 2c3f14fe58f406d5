import fc from "../../node_modules/fast-check/lib/fast-check.js";

// Tests import this instead of fast-check (see vitest.config.ts). The seed is fixed, so that the same code gives the same
// result. `GANTRY_TEST_SEED=random npm test` explores other cases; a failure prints its seed.
const { GANTRY_TEST_SEED: seed = "20261117" } = process.env;
fc.configureGlobal(seed === "random" ? {} : { seed: Number(seed) });

export default fc;
export * from "../../node_modules/fast-check/lib/fast-check.js";
