import { calls, type RouteName } from "@gantry/protocol";
import { expect, it } from "vitest";
import { requireRight } from "./agent-access.ts";

it("denies a session's token every call whose row grants no right", () => {
  expect(() => requireRight("newCall", { method: "GET" })).toThrow(expect.objectContaining({ code: "not_permitted" }));
  expect(requireRight("newCall", { method: "GET", agent: "family" })).toBe("family");
});

it("grants rights to these calls only", () => {
  const granted = (Object.keys(calls) as RouteName[]).filter((name) => "agent" in calls[name]);
  expect(granted.sort()).toEqual(
    [
      ...["health", "listAgents", "getAgent", "createSession", "listSessions", "getSession", "sessionEvents"],
      ...["allEvents", "getItem", "listTurns", "turnDiff", "sessionLane", "createLane", "getLane", "laneDiff"],
      ...["laneSetup", "patchSession", "sendMessage", "patchMessage", "deleteMessage", "interrupt", "changeQueue"],
      ...["listChanges", "changedFile", "sessionAt", "listComments", "commitPlan"],
      ...["closeSession", "listTasks", "stopTask", "requestContext"],
      ...["hearSession", "inbox", "answerInput", "handOff", "landLane"],
      ...["coordinate", "listLanes", "compareLanes", "laneConflicts"],
    ].sort(),
  );
});
