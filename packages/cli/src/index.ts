export { exitCodes } from "./program/exit-codes.ts";
