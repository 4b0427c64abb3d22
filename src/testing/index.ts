/** Entry `thinklog/testing`: what a test of an agent needs. */
export { type FixedClock, fixedClock, fixedIds } from "./fixed.ts";
export { MemoryLog } from "./memory-log.ts";
export { callTool, empty, type Reply, stall, streamError, text, textAround } from "./replies.ts";
export { type ModelCall, type Script, scriptedModel, type ScriptedModel } from "./scripted-model.ts";
export { type DeciderSpecification, specifyDecider, type Told } from "./specify-decider.ts";
export { type ReducerSpecification, specifyReducer } from "./specify-reducer.ts";
