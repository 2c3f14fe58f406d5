export * from "./messages.ts";
export * from "./model.ts";
export * from "./registry-port.ts";
export * from "./stream.ts";
