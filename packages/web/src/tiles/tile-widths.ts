import { storedCell } from "../store/stored-cell.ts";
import type { Widths } from "./divide-widths.ts";

/** The widths of tiles in this browser. */
export const tileWidths = storedCell<Widths>("tiles.widths", {});
