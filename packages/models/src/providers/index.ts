// Loaded only when a user changes or tests providers: import it dynamically.
export * from "./manage.ts";
export { type ProviderPlan, type ProviderRequest, planProvider } from "./plan.ts";
export { PRESETS } from "./presets.ts";
