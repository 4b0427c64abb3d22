import { drizzle, type DrizzleSqliteDODatabase as Database } from "drizzle-orm/durable-sqlite";
import migrations from "../../drizzle/migrations.js";
import { reconcile } from "../effects/index.ts";
import { OutboxQueries, QueueQueries, SubmissionQueries } from "../queries/index.ts";
import type { UIMessage } from "ai";
import { Acceptance } from "./acceptance.ts";
import { Admission } from "./admission.ts";
import { Announcer } from "./announcer.ts";
import { BlockingTurns } from "./blocking-turns.ts";
import { Callers } from "./callers.ts";
import { ENGINE } from "./cause.ts";
import { Checkpoint } from "./checkpoint.ts";
import { Dispatcher, type LaneEffects } from "./dispatcher.ts";
import { Head } from "./lane/head.ts";
import { Lane } from "./lane/lane.ts";
import { TurnInputs } from "./lane/turn-inputs.ts";
import { migrate } from "./migrate.ts";
import { Outbox } from "./outbox/outbox.ts";
import type {
  AnswerStreams,
  Clock,
  Conversation,
  Ids,
  LaneAlarm,
  OutboxAlarm,
  ResponseHook,
  StatusHook,
  Telemetry,
  TurnRun,
  TurnRunner,
  WorkflowSender,
} from "./ports.ts";
import { catchUpResponses, catchUpStatus } from "./catch-up.ts";
import { Follower } from "./follower.ts";
import { missedEvents } from "./missed-events.ts";
import { rebuildProjections } from "./rebuild.ts";
import { Responses } from "./responses.ts";
import { Store } from "./store.ts";
import { unattended } from "./unattended.ts";
import { Submissions } from "./submissions.ts";
import { ClaimRecorder } from "./turn-recorder.ts";
import type { WorkflowAlarm, WorkflowsPort } from "./workflows/port.ts";
import { WorkflowRequests } from "./workflows/requests.ts";
import { WorkflowStarter } from "./workflows/starter.ts";

/** The world, as the engine needs it. */
export type EnginePorts = {
  readonly storage: DurableObjectStorage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly alarm: LaneAlarm;
  readonly outboxAlarm: OutboxAlarm;
  readonly sender: WorkflowSender;
  readonly conversation: Conversation;
  readonly telemetry: Telemetry;
  readonly statusHook: StatusHook;
  readonly responseHook: ResponseHook;
  /** A stored message, for a hook that is told late. */
  readonly readMessage: (id: string) => Promise<UIMessage | undefined>;
  readonly runner: TurnRunner;
  readonly answers: AnswerStreams;
  /** A turn has ended, and all of it is on record. Must not throw. */
  readonly turnLeft: (turnId: string, run: TurnRun) => void;
  readonly workflows: WorkflowsPort;
  readonly workflowAlarm: WorkflowAlarm;
};

/** The parts of one object's engine, put together. Made once its tables exist. */
export type Engine = {
  readonly store: Store;
  readonly queue: QueueQueries;
  readonly ledger: SubmissionQueries;
  readonly dispatcher: Dispatcher;
  readonly lane: Lane;
  readonly acceptance: Acceptance;
  readonly admission: Admission;
  readonly submissions: Submissions;
  readonly blocking: BlockingTurns;
  readonly workflowRequests: WorkflowRequests;
  readonly workflowStarter: WorkflowStarter;
  readonly outbox: Outbox;
  readonly outboxQueries: OutboxQueries;
};

/** Bring the object's schema up to date, put the engine together, and take up what an earlier life left. */
export async function startEngine(ports: EnginePorts): Promise<Engine> {
  migrate(ports.storage, migrations);
  const db = drizzle(ports.storage, { logger: false });
  const store = new Store(ports.storage, db);
  const head = () => store.log.head().position;
  const statusFollower = new Follower(ports.statusHook !== undefined, new Checkpoint(db, "status-hook"), head);
  const responseFollower = new Follower(ports.responseHook !== undefined, new Checkpoint(db, "response-hook"), head);
  const followers = [statusFollower, responseFollower];
  const missedStatus = missedEvents(store, statusFollower);
  const missedResponses = missedEvents(store, responseFollower);
  const hookBehind = followers.some((follower) => follower.missed() !== undefined);

  const announcer = new Announcer(ports.statusHook, statusFollower);
  const responses = new Responses(ports.responseHook, responseFollower);
  const catchUp = {
    status: once(() => catchUpStatus(missedStatus(), announcer, engine.dispatcher)),
    responses: onceDone(() => catchUpResponses(missedResponses(), responses, store, ports.readMessage)),
  };
  const engine = assemble(ports, { db, store, followers, announcer, responses, catchUp });

  const { running, next } = engine.queue.head();
  const laneOccupied = (running ?? next) !== undefined;
  const workflowsOpen = engine.workflowRequests.hasOpen();
  const outboxOccupied = engine.outboxQueries.due(1).length > 0;
  await engine.dispatcher.run(reconcile({ laneOccupied, hookBehind, workflowsOpen, outboxOccupied }));
  return engine;
}

type Following = {
  readonly db: Database;
  readonly store: Store;
  readonly followers: readonly Follower[];
  readonly announcer: Announcer;
  readonly responses: Responses;
  /** Tell the hooks what they missed in an earlier life, once. */
  readonly catchUp: { readonly status: () => void; readonly responses: () => Promise<void> };
};

function assemble(ports: EnginePorts, { db, store, followers, announcer, responses, catchUp }: Following): Engine {
  const { clock, ids, alarm, conversation, telemetry, runner, answers, workflows, workflowAlarm } = ports;
  const queue = new QueueQueries(db);
  const ledger = new SubmissionQueries(db);
  const dispatcher = new Dispatcher(store, clock, telemetry, announcer);
  const outboxQueries = new OutboxQueries(db);
  const outbox = new Outbox({
    store,
    queries: outboxQueries,
    dispatcher,
    sender: ports.sender,
    alarm: ports.outboxAlarm,
    clock,
  });
  const inputs = new TurnInputs(store.payloads);
  const callers = new Callers();
  const lane = new Lane({
    clock,
    head: new Head({
      store,
      queue,
      dispatcher,
      followers,
      conversation,
      inputs,
      answers,
      clock,
      rebuild: () => void rebuildProjections(store, dispatcher, { actor: ENGINE, causationId: "lane" }),
    }),
    alarm,
    inputs,
    callers,
    runner,
    recorder: (claimed, giveUp) =>
      new ClaimRecorder({ store, dispatcher, conversation, ids, answers }, claimed, giveUp),
    respond: (turnId, { response }) =>
      responses.tell(turnId, (position) => response ?? unattended(store, turnId, position)),
    left: ports.turnLeft,
    deliveries: outbox,
    idle: () => followers.forEach((follower) => follower.saveCheckpoint()),
    ready: async () => {
      await conversation.ready();
      catchUp.status();
      await catchUp.responses();
    },
  });
  const effects: LaneEffects = {
    arm: (when) => lane.arm(when),
    armWorkflows: (when) => workflowAlarm.arm(when),
    abort: (turnId, reason) => lane.abort(turnId, reason),
    ended: (turnId, position) => {
      responses.ended(turnId, position);
      lane.ended(turnId);
    },
  };
  dispatcher.connect(effects, outbox, catchUp.status);
  const acceptance = new Acceptance({ store, queries: ledger, dispatcher, lane, clock, ids });
  const submissions = new Submissions({
    store,
    queries: ledger,
    dispatcher,
    announcer,
    clock,
    catchUp: catchUp.status,
  });
  const admission = new Admission({ store, dispatcher, lane, inputs, conversation, clock, ids });
  const blocking = new BlockingTurns({ store, admission, callers });
  const workflowRequests = new WorkflowRequests(store, dispatcher, ids);
  const workflowStarter = new WorkflowStarter({
    requests: workflowRequests,
    workflows,
    alarm: workflowAlarm,
    telemetry,
  });
  const forCallers = {
    acceptance,
    admission,
    submissions,
    blocking,
    workflowRequests,
    workflowStarter,
    outbox,
    outboxQueries,
  };
  return { store, queue, ledger, dispatcher, lane, ...forCallers };
}

/** The first call's result, for every call. */
function once<T>(run: () => T): () => T {
  let done: { readonly result: T } | undefined;
  return () => (done ??= { result: run() }).result;
}

/** The same for what can fail: after a failure the next call tries again. */
function onceDone(run: () => Promise<void>): () => Promise<void> {
  let doing: Promise<void> | undefined;
  return () =>
    (doing ??= run().catch((error: unknown) => {
      doing = undefined;
      throw error;
    }));
}
