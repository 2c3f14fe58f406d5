import type { SavedPrompt } from "@gantry/protocol";
import { checkpointHandlers } from "../checkpoints/handlers.ts";
import type { CheckpointService } from "../checkpoints/port.ts";
import { type CoordinatorPort, coordinatorHandlers } from "../coordinator/handlers.ts";
import { type DefaultService, defaultHandlers } from "../defaults/handlers.ts";
import { type DemoService, demoHandlers } from "../demo/handlers.ts";
import { type FileService, fileHandlers } from "../files/handlers.ts";
import type { Hub } from "../hub/hub.ts";
import { type IdentityService, identityHandlers } from "../identities/handlers.ts";
import { type KitService, kitHandlers } from "../kit/handlers.ts";
import { landingHandlers } from "../landing/handlers.ts";
import type { LandingService } from "../landing/port.ts";
import { laneHandlers } from "../lanes/handlers.ts";
import type { LaneService } from "../lanes/port.ts";
import { launchHandlers } from "../launches/handlers.ts";
import type { LaunchService } from "../launches/port.ts";
import type { LimitService } from "../limits/port.ts";
import type { Records } from "../log/port.ts";
import type { MetricSources } from "../metrics/collect.ts";
import { metricHandlers } from "../metrics/handlers.ts";
import { modelHandlers, providerHandlers } from "../models/handlers.ts";
import type { ModelService } from "../models/models.ts";
import type { ProviderService } from "../models/providers.ts";
import { type PreviewService, previewHandlers } from "../preview/handlers.ts";
import { type ProjectService, projectHandlers } from "../projects/handlers.ts";
import { type PushService, pushHandlers } from "../push/handlers.ts";
import { reviewHandlers } from "../review/handlers.ts";
import type { ReviewService } from "../review/port.ts";
import { savedPromptHandlers } from "../saved-prompts/saved-prompts.ts";
import { type ScheduleService, scheduleHandlers } from "../schedules/handlers.ts";
import type { AppOptions } from "../server/app.ts";
import {
  type AgentCatalogue,
  agentHandlers,
  type CommandLookup,
  type TitleWriters,
} from "../server/handlers/agents.ts";
import { eventHandlers } from "../server/handlers/events.ts";
import { inputHandlers } from "../server/handlers/inputs.ts";
import { limitHandlers } from "../server/handlers/limits.ts";
import { type ProfileService, profileHandlers } from "../server/handlers/profiles.ts";
import { type ServerLog, searchHandlers } from "../server/handlers/search.ts";
import { sessionHandlers } from "../server/handlers/sessions.ts";
import type { SessionService } from "../session/api.ts";
import { type SettingService, settingHandlers } from "../settings/handlers.ts";
import { spawnHandlers } from "../spawns/handlers.ts";
import type { SpawnService } from "../spawns/port.ts";
import { type TaskOutputs, taskHandlers } from "../tasks/handlers.ts";
import { terminalHandlers } from "../terminals/handlers.ts";
import type { TerminalService } from "../terminals/port.ts";
import { timeTravelHandlers } from "../time-travel/handlers.ts";
import type { TimeTravelService } from "../time-travel/port.ts";
import { transferHandlers } from "../transfer/handlers.ts";
import type { TransferService } from "../transfer/port.ts";
import { type TrustService, trustHandlers } from "../trust/handlers.ts";
import { type UsageLog, usageHandlers } from "../usage/handlers.ts";

/** The services behind the API. */
export type Services = {
  service: SessionService;
  log: ServerLog & UsageLog;
  hub: Hub;
  catalogue: AgentCatalogue;
  commands: CommandLookup;
  textHelper: TitleWriters;
  kit: KitService;
  checkpoints: CheckpointService;
  identities: IdentityService;
  savedPrompts: Records<SavedPrompt>;
  files: FileService;
  demo: DemoService;
  profiles: ProfileService;
  settings: SettingService;
  defaults: DefaultService;
  schedules: ScheduleService;
  lanes: LaneService;
  spawns: SpawnService;
  coordinator: CoordinatorPort;
  launches: LaunchService;
  landing: LandingService;
  terminals: TerminalService;
  previews: PreviewService;
  taskOutputs: TaskOutputs;
  transfer: TransferService;
  limits: LimitService;
  models: ModelService;
  providers: ProviderService;
  projects: ProjectService;
  trust: TrustService;
  review: { open: () => Promise<ReviewService> };
  metrics: MetricSources;
  push: { open: () => Promise<PushService> };
  timeTravel: TimeTravelService;
};

/** The handlers of every feature. The compiler rejects the list when a row of the route table has no handler. */
export function apiHandlers(services: Services): AppOptions["handlers"] {
  const { service } = services;
  return {
    ...agentHandlers(services.catalogue, services.commands, services.textHelper),
    ...sessionHandlers(service),
    ...inputHandlers(service),
    ...eventHandlers(services),
    ...searchHandlers(services.log),
    ...usageHandlers(services.log),
    ...limitHandlers(services.limits, service),
    ...profileHandlers(services.profiles),
    ...demoHandlers(services.demo),
    ...checkpointHandlers(services.checkpoints),
    ...reviewHandlers(services.review),
    ...timeTravelHandlers(services.timeTravel),
    ...fileHandlers(services.files, service),
    ...kitHandlers(services.kit),
    ...identityHandlers(services.identities, service),
    ...savedPromptHandlers(services.savedPrompts),
    ...settingHandlers(services.settings),
    ...defaultHandlers(services.defaults),
    ...launchHandlers(services.launches),
    ...landingHandlers(services.landing),
    ...scheduleHandlers(services.schedules, service),
    ...laneHandlers(services.lanes),
    ...spawnHandlers(services.spawns),
    ...coordinatorHandlers(services.coordinator),
    ...terminalHandlers(services.terminals),
    ...previewHandlers(services.previews),
    ...taskHandlers(services.taskOutputs),
    ...transferHandlers(services.transfer),
    ...modelHandlers(services.models),
    ...providerHandlers(services.providers),
    ...projectHandlers(services.projects),
    ...trustHandlers(services.trust),
    ...metricHandlers(services.metrics),
    ...pushHandlers(services.push),
  };
}
