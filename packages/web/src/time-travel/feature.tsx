import type { Feature } from "../shell/feature.ts";
import { enterPast } from "./past-address.ts";

export const timeTravelFeature: Feature = {
  sessionCommands: ({ id, lastSeq }) => [
    { name: "Time travel", hint: "the session at any event", run: () => enterPast(id, lastSeq) },
  ],
};
