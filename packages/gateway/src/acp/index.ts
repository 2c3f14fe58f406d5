export type { GatewayDefaults } from "./gateway.ts";
export { createAcpAgent, serveSocket, serveStdio } from "./serve.ts";
export type { AcpOptions } from "./wire/options.ts";
