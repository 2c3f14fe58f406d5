import { agentsFeature } from "./agents/feature.tsx";
import { boardFeature } from "./board/feature.tsx";
import { composerFeature } from "./composer/feature.tsx";
import { identitiesFeature } from "./identities/feature.tsx";
import { inboxFeature } from "./inbox/feature.tsx";
import { lanesFeature } from "./lanes/feature.tsx";
import { launchFeature } from "./launch/feature.tsx";
import { modelsFeature } from "./models/feature.tsx";
import { projectsFeature } from "./projects/feature.tsx";
import { searchFeature } from "./search/feature.tsx";
import { sessionFeature } from "./session/feature.tsx";
import { settingsFeature } from "./settings/feature.tsx";
import type { Feature } from "./shell/feature.ts";
import { tilesFeature } from "./tiles/feature.tsx";
import { timeTravelFeature } from "./time-travel/feature.tsx";
import { transferFeature } from "./transfer/feature.tsx";
import { usageFeature } from "./usage/feature.tsx";

/**
 * Every feature of the page, in the order of the sidebar and the palette. A new feature is a folder with a `feature.tsx`
 * and an entry here.
 */
export const features: readonly Feature[] = [
  sessionFeature,
  tilesFeature,
  timeTravelFeature,
  boardFeature,
  inboxFeature,
  searchFeature,
  projectsFeature,
  agentsFeature,
  identitiesFeature,
  lanesFeature,
  launchFeature,
  modelsFeature,
  usageFeature,
  composerFeature,
  transferFeature,
  settingsFeature,
];
