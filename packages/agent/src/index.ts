export * from "./events.ts";
export * from "./messages.ts";
export * from "./permissions/action.ts";
export * from "./rules/port.ts";
export * from "./session/port.ts";
export * from "./sessions/port.ts";
export * from "./tools/define.ts";
export * from "./tools/tool.ts";
