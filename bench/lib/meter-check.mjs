/** Runs the meter's proof on every variant's Worker; see worker/meter-check.ts. */
import { objectOf } from "./client.mjs";

export async function checkMeter(urls) {
  for (const [variant, url] of Object.entries(urls)) {
    for (const { step, expected, actual } of await objectOf(url, "meter").call("check")) {
      const wrong = Object.keys(expected).filter((key) => actual[key] !== expected[key]);
      if (wrong.length === 0) continue;
      const told = wrong.map((key) => `${key} ${actual[key]} instead of ${expected[key]}`).join(", ");
      throw new Error(`The meter is wrong (${variant}): ${step}: ${told}.`);
    }
  }
}
