// `npm run layers`: holds src and demo to the architecture and prints each breach as file:line.
import { globSync, readFileSync } from "node:fs";
import { checkArchitecture } from "./architecture/check.ts";

const paths = globSync(["src/**/*.{ts,tsx}", "demo/**/*.{ts,tsx}"], { exclude: ["demo/dist/**"] });
const problems = checkArchitecture(paths.map((path) => [path, readFileSync(path, "utf8")]));

for (const { path, line, message } of problems) console.error(`${path}:${line} ${message}`);
console.log(`layers: ${paths.length} files, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
