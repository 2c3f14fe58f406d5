/** A JSON-RPC id. Zero and the empty string are ids like any other: never test them for truth. */
export type RpcId = string | number;

export type RpcMessage =
  | { kind: "request"; id: RpcId; method: string; params: unknown }
  | { kind: "notification"; method: string; params: unknown }
  | { kind: "result"; id: RpcId; result: unknown }
  | { kind: "error"; id: RpcId | null; error: RpcError };

export type RpcError = { code: number; message: string; data?: unknown };

export const rpcErrors = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

/** What kind of message a parsed line is, with or without the `jsonrpc` field; `undefined` when it is none. */
export function readRpc(line: unknown): RpcMessage | undefined {
  if (typeof line !== "object" || line === null || Array.isArray(line)) return undefined;
  const message = line as Record<string, unknown>;
  const id = readId(message.id);
  if (typeof message.method === "string") {
    const { method, params } = message;
    return id === undefined ? { kind: "notification", method, params } : { kind: "request", id, method, params };
  }
  if ("error" in message && message.error !== null && message.error !== undefined) {
    return { kind: "error", id: id ?? null, error: readError(message.error) };
  }
  if (id !== undefined && "result" in message) return { kind: "result", id, result: message.result };
  return undefined;
}

export function rpcRequest(id: RpcId, method: string, params?: unknown) {
  return params === undefined ? { id, method } : { id, method, params };
}

export function rpcNotification(method: string, params?: unknown) {
  return params === undefined ? { method } : { method, params };
}

export function rpcResult(id: RpcId, result: unknown) {
  return { id, result };
}

export function rpcFailure(id: RpcId, code: number, message: string) {
  return { id, error: { code, message } };
}

/** Adds the version field, for peers that insist on it. */
export function withVersion<T extends object>(message: T): T & { jsonrpc: "2.0" } {
  return { jsonrpc: "2.0", ...message };
}

function readId(value: unknown): RpcId | undefined {
  return typeof value === "string" || typeof value === "number" ? value : undefined;
}

function readError(value: unknown): RpcError {
  if (typeof value !== "object" || value === null) return { code: rpcErrors.internal, message: String(value) };
  const { code, message, data } = value as Record<string, unknown>;
  const error: RpcError = {
    code: typeof code === "number" ? code : rpcErrors.internal,
    message: typeof message === "string" ? message : "unknown error",
  };
  return data === undefined ? error : { ...error, data };
}
