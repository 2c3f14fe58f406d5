// Runs first in every document that a preview shows. It talks with Gantry's page and with nobody else; in a tab of its own
// or in a frame of the document's own it does nothing.
import { openLine, type ToInspector } from "./channel.ts";
import { currentPath, describeElement } from "./describe.ts";
import { Picker } from "./picker.ts";
import { shoot } from "./shoot.ts";
import { watchFailures, watchVisits } from "./watch.ts";

const script = document.currentScript;
const address = script instanceof HTMLScriptElement ? script.src : "";
const pages = (script?.dataset.pages ?? "").split(" ").filter(Boolean);
script?.remove();
if (window.parent !== window && pages.length > 0) begin();

function begin(): void {
  const scripts = new URL(".", address).href;
  const line = openLine(pages, act);
  const picker = new Picker({
    onPick: (element) => line.tell({ type: "picked", element: describeElement(element) }),
    onLeave: () => line.tell({ type: "left" }),
  });
  watchFailures((text) => line.tell({ type: "failed", text }));
  const tellVisit = () => line.tell({ type: "visited", path: currentPath(), title: document.title.slice(0, 500) });
  watchVisits(tellVisit);

  function act(message: ToInspector): void {
    if (message.type === "hello") tellVisit();
    if (message.type === "pick") {
      if (message.on) picker.start();
      else picker.stop();
    }
    if (message.type === "go") history.go(message.by);
    if (message.type === "reload") location.reload();
    if (message.type === "shoot") void answerShot(message.id, message.selector);
  }

  async function answerShot(id: number, selector: string | undefined): Promise<void> {
    try {
      line.tell({ type: "shot", id, image: await shoot(scripts, selector) });
    } catch (error) {
      line.tell({ type: "shot", id, error: error instanceof Error ? error.message.slice(0, 500) : "It failed." });
    }
  }
}
