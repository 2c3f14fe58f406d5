import { Cell } from "../store/cell.ts";

/** The browser's offer to install the page as an app. Only some browsers make one. */
type InstallOffer = Event & { prompt(): Promise<unknown> };

/** The offer, until it is used. */
export const installOffer = new Cell<InstallOffer | undefined>(undefined);

/** Stores the browser's offer instead of showing it at once. Called once. */
export function listenForInstallOffer(): void {
  addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    installOffer.set(event as InstallOffer);
  });
  addEventListener("appinstalled", () => installOffer.set(undefined));
}

export function isInstalled(): boolean {
  return matchMedia("(display-mode: standalone)").matches;
}

/** Must be called from a click handler. */
export function installPage(): void {
  const offer = installOffer.get();
  installOffer.set(undefined);
  void offer?.prompt();
}
