/**
 * Property tests draw the same cases in every run, so that a red run means a
 * change; `npm run fuzz` draws others.
 *
 * @module
 */
import { configureGlobal } from "fast-check";
import process from "node:process";

/** Any fixed number will do. */
const SEED = 20_261;

configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? SEED) });
