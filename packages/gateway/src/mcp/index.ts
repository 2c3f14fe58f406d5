export { type Caller, type Coordinator, callerOf } from "./coordinator.ts";
export { type CoordinatorHttp, createCoordinatorHttp } from "./http.ts";
export { serveCoordinatorOnStdio } from "./stdio.ts";
