/** Entry `thinklog/testing`: what a test of an agent needs. */
export { callTool, empty, type Reply, stall, streamError, text, textAround } from "./replies.ts";
export { type ModelCall, type Script, scriptedModel, type ScriptedModel } from "./scripted-model.ts";
