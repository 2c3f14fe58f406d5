import type { Offer } from "@gantry/protocol";
import { Cell } from "../../store/cell.ts";

/** A set-up that the user has opened: a login, a key, an installation. */
export type SetupRequest = {
  offer: Offer;
  /** Called once, when the agent can be used. */
  onReady: () => void;
};

/** The open set-up; one at a time. */
export const setupRequest = new Cell<SetupRequest | undefined>(undefined);

/** Opens the set-up of an agent over the current view. */
export function openSetup(offer: Offer, onReady: () => void = () => undefined): void {
  setupRequest.set({ offer, onReady });
}

export function closeSetup(): void {
  setupRequest.set(undefined);
}
