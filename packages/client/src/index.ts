export type { CallInput } from "./call.ts";
export * from "./client.ts";
export { type ConnectOptions, connect } from "./connect/connect.ts";
export type { AllFrame, FollowAllOptions, FollowOptions, Frame, Reconnect } from "./follow.ts";
export { checkLive, type LiveCheck, type LiveReport, type LiveStep, type Trouble } from "./live-check.ts";
export type { FollowTerminalOptions, TerminalFrame } from "./terminals.ts";
export type { Target } from "./transport.ts";
