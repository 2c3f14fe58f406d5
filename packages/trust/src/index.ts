export { type Coverage, coverageOf, findCheckout } from "./coverage.ts";
export { digestItems, hashCommand, hashText } from "./digest.ts";
export { isInnerAddress } from "./inner-address.ts";
export { itemKey, type TrustItem, type TrustKind, trustCommand } from "./items.ts";
export { isInside, realPath } from "./paths.ts";
export { listEntries, readRegularFile, readRegularText, statOf } from "./read-file.ts";
export {
  addressIn,
  type ConfigEntry,
  ConfigUnreadable,
  overrideVariables,
  RepositoryConfig,
  type RepositoryPrograms,
} from "./repository-config.ts";
export { openTrustStore, type TrustedFolder, type TrustStore } from "./store.ts";
