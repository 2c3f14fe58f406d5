import { handleNotifications } from "./notifications.ts";
import type { WorkerScope } from "./scope.ts";
import { serveShell } from "./shell-cache.ts";

const scope = globalThis as unknown as WorkerScope;

serveShell(scope);
handleNotifications(scope);
