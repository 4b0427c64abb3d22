import { drizzle } from "drizzle-orm/durable-sqlite";
import migrations from "../../drizzle/migrations.js";
import { reconcile } from "../effects/index.ts";
import { QueueQueries, SubmissionQueries } from "../queries/index.ts";
import { Announcer } from "./announcer.ts";
import { BlockingTurns } from "./blocking-turns.ts";
import { Callers } from "./callers.ts";
import { Checkpoint } from "./checkpoint.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Head } from "./lane/head.ts";
import { Lane } from "./lane/lane.ts";
import { TurnInputs } from "./lane/turn-inputs.ts";
import { migrate } from "./migrate.ts";
import type { Clock, Conversation, Ids, LaneAlarm, StatusHook, Telemetry, TurnRunner } from "./ports.ts";
import { announcementReplay } from "./replay-announcements.ts";
import { Store } from "./store.ts";
import { Submissions } from "./submissions.ts";
import { ClaimRecorder } from "./turn-recorder.ts";

/** The world, as the engine needs it. */
export type EnginePorts = {
  readonly storage: DurableObjectStorage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly alarm: LaneAlarm;
  readonly conversation: Conversation;
  readonly telemetry: Telemetry;
  readonly statusHook: StatusHook;
  readonly runner: TurnRunner;
};

/** The parts of one object's engine, put together. Made once its tables exist. */
export type Engine = {
  readonly store: Store;
  readonly queue: QueueQueries;
  readonly ledger: SubmissionQueries;
  readonly dispatcher: Dispatcher;
  readonly lane: Lane;
  readonly submissions: Submissions;
  readonly blocking: BlockingTurns;
};

/** Bring the object's schema up to date, put the engine together, and take up what an earlier life left. */
export async function startEngine(ports: EnginePorts): Promise<Engine> {
  migrate(ports.storage, migrations);
  const { engine, announcer } = assemble(ports);
  const { running, next } = engine.queue.head();
  const view = { laneOccupied: (running ?? next) !== undefined, hookBehind: announcer.isBehind() };
  await engine.dispatcher.run(reconcile(view));
  return engine;
}

function assemble(ports: EnginePorts): { engine: Engine; announcer: Announcer } {
  const { storage, clock, ids, alarm, conversation, telemetry, statusHook, runner } = ports;
  const db = drizzle(storage, { logger: false });
  const store = new Store(storage, db);
  const queue = new QueueQueries(db);
  const ledger = new SubmissionQueries(db);
  const announcer = new Announcer(statusHook, new Checkpoint(db, "status-hook"), () => store.log.head().position);
  const dispatcher = new Dispatcher(store, clock, telemetry, announcer);
  const replay = announcementReplay(store, announcer, dispatcher);
  const inputs = new TurnInputs(store.payloads);
  const callers = new Callers();
  const head = new Head({ store, queue, dispatcher, announcer, conversation, inputs });
  const lane = new Lane({
    head,
    announcer,
    alarm,
    inputs,
    callers,
    runner,
    recorder: (claimed) => new ClaimRecorder({ store, dispatcher, conversation }, claimed),
    ready: async () => {
      await conversation.ready();
      replay();
    },
  });
  dispatcher.connect(lane);
  const submissions = new Submissions({ store, queries: ledger, dispatcher, announcer, lane, clock, ids });
  const blocking = new BlockingTurns({ store, dispatcher, lane, inputs, callers, clock, ids });
  return { engine: { store, queue, ledger, dispatcher, lane, submissions, blocking }, announcer };
}
