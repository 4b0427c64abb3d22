// One server for all tests that do not stop it; each test uses an agent of its own.
import type { TestProject } from "vitest/node";
import { freePort, startServer, tempStateDir } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    url: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const state = await tempStateDir();
  const server = await startServer(await freePort(), state.path);
  project.provide("url", server.url);
  return async () => {
    await server.stop();
    await state.remove();
  };
}
