// A tool with made-up but steady weather: the same city always has the same.
import { tool } from "ai";
import { z } from "zod";

const SKIES = ["clear sky", "light clouds", "steady rain", "fog in the morning", "a fresh wind"] as const;

export const weather = tool({
  description: "The weather in a city, today.",
  inputSchema: z.object({ city: z.string().min(1).max(80).describe("The city's name") }),
  execute: ({ city }) => {
    const seed = [...city.toLowerCase()].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
    const celsius = (seed % 38) - 5;
    const sky = SKIES[seed % SKIES.length];
    return { city, celsius, sky, summary: `${city} has ${sky} and ${celsius} °C.` };
  },
});
