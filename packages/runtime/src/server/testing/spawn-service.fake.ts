import {
  type CreateLane,
  type CreateSession,
  GantryError,
  type PatchSession,
  type SendMessage,
} from "@gantry/protocol";
import { fakeLanes } from "../../lanes/testing/lane-service.fake.ts";
import type { SpawnService } from "../../spawns/port.ts";
import type { FakeSessionService } from "./session-service.fake.ts";

/** The token with which `ses_a` calls in tests of the server. */
export const SESSION_TOKEN = `gss_${"x".repeat(43)}.ses_a`;

/** A fake of the agents' rights for tests of the server: `ses_a` has spawned `ses_below` and no other session. */
export class FakeSpawnService implements SpawnService {
  readonly #service: FakeSessionService;
  /** Whether a person has made `ses_a` a lead. */
  isLead = false;

  constructor(service: FakeSessionService) {
    this.#service = service;
  }

  sessionOf(token: string): string | undefined {
    return token === SESSION_TOKEN ? "ses_a" : undefined;
  }

  requireBelow(caller: string, id: string, orSelf: boolean): void {
    if (id === "ses_below" || (orSelf && id === caller)) return;
    throw new GantryError("not_permitted", `${id} is not one that ${caller} began.`);
  }

  create(caller: string, body: CreateSession) {
    return this.#service.create(body, caller);
  }

  list(caller: string) {
    return [this.#service.get(caller)];
  }

  family(caller: string): string[] {
    return [caller, "ses_below"];
  }

  send(caller: string, id: string, body: SendMessage) {
    this.requireBelow(caller, id, true);
    return this.#service.send(id, body);
  }

  change(caller: string, id: string, _body: PatchSession) {
    this.requireBelow(caller, id, false);
    return this.#service.patch(id);
  }

  async createLane(_caller: string, body: CreateLane) {
    return fakeLanes.create(body);
  }

  async listLanes() {
    return fakeLanes.list({});
  }

  async resolveLanes(caller: string, names: readonly string[]) {
    for (const name of names) this.requireLane(caller, name);
    return [...names];
  }

  hasLane(_caller: string, lane: string): boolean {
    return lane === "lan_1";
  }

  requireLane(caller: string, lane: string): void {
    if (lane !== "lan_1") throw new GantryError("not_permitted", `${lane} is no lane of ${caller}.`);
  }

  inbox(caller: string): [] {
    this.#requireLead(caller);
    return [];
  }

  requireAnswer(caller: string): void {
    this.#requireLead(caller);
  }

  requireHandoff(caller: string, id: string): void {
    this.#requireLead(caller);
    this.requireBelow(caller, id, false);
  }

  async requireLanding(caller: string): Promise<void> {
    this.#requireLead(caller);
  }

  #requireLead(caller: string): void {
    if (!this.isLead) throw new GantryError("not_permitted", `${caller} is not a lead.`);
  }

  markRead(): boolean {
    return true;
  }
}
