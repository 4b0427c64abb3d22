// The page: what is looked at, what was last done, and the panes that show it.
import { lazy, Suspense, useCallback, useMemo, useState } from "react";
import { apiOf } from "./api.ts";
import { Conversation } from "./components/conversation.tsx";
import { Detail } from "./components/detail.tsx";
import { Header } from "./components/header.tsx";
import { type Outcome, OutcomeBox } from "./components/outcome.tsx";
import { SchedulesPage } from "./components/schedules-page.tsx";
import { SubmissionTable } from "./components/submission-table.tsx";
import { SubmitForm } from "./components/submit-form.tsx";
import { WorkflowsPage } from "./components/workflows-page.tsx";
import { PAGES, useAddress } from "./live/use-address.ts";
import { usePicture } from "./live/use-picture.ts";
import { usePrompts } from "./live/use-prompts.ts";

/** Half of the page's code is the chat's: read when it is opened. */
const ChatPage = lazy(async () => ({ default: (await import("./components/chat-page.tsx")).ChatPage }));

const NAMES = { submissions: "Submissions", workflows: "Workflows", schedules: "Schedules", chat: "Chat" };

/** There the chosen submission is shown below the table, out of sight. */
const ONE_COLUMN = "(max-width: 759px)";

/** What the last action led to is shown where the action was: under the form, or in the chosen submission's pane. */
type Done = { place: "top" | "detail"; outcome: Outcome };

export function App() {
  const [{ agent, submissionId, page, workflowId }, go] = useAddress();
  const api = useMemo(() => apiOf(agent), [agent]);
  const { picture, poke } = usePicture(api);
  const [done, setDone] = useState<Done>();

  const reportAt = useCallback(
    (place: Done["place"]) => (outcome: Outcome | undefined) => {
      setDone(outcome && { place, outcome });
      if (!outcome) return;
      if (outcome.kind === "receipt") go({ submissionId: outcome.receipt.submissionId });
      poke();
    },
    [poke, go],
  );
  const outcomeAt = (place: Done["place"]) => (done?.place === place ? done.outcome : undefined);

  const onAgent = (name: string) => {
    setDone(undefined);
    go({ agent: name, submissionId: undefined, workflowId: undefined });
  };

  const look = (id: string | undefined) => {
    if (done?.place === "detail") setDone(undefined);
    go({ submissionId: id });
  };
  const select = (id: string) => {
    look(id === submissionId ? undefined : id);
    if (window.matchMedia(ONE_COLUMN).matches) document.getElementById("detail-title")?.scrollIntoView();
  };

  const { submissions, messages, head, info } = picture;
  const prompts = usePrompts(api, picture);
  const selected = submissions.find((submission) => submission.submissionId === submissionId);

  return (
    <>
      <Header api={api} agent={agent} picture={picture} onAgent={onAgent} report={reportAt("top")} />
      <nav className="row" aria-label="Pages">
        {PAGES.map((name) => (
          <button
            key={name}
            type="button"
            aria-current={page === name ? "page" : undefined}
            onClick={() => go({ page: name })}
          >
            {NAMES[name]}
          </button>
        ))}
      </nav>
      {page === "chat" && (
        <Suspense>
          <ChatPage api={api} agent={agent} head={head} model={info?.model} poke={poke} />
        </Suspense>
      )}
      {page === "workflows" && (
        <WorkflowsPage
          api={api}
          workflowId={workflowId}
          outcome={outcomeAt("top")}
          report={reportAt("top")}
          onSelect={(id) => go({ workflowId: id })}
          onSubmission={(id) => go({ page: "submissions", submissionId: id })}
        />
      )}
      {page === "schedules" && (
        <SchedulesPage api={api} head={head} onSubmission={(id) => go({ page: "submissions", submissionId: id })} />
      )}
      {page === "submissions" && (
        <main>
          <div className="column">
            <SubmitForm api={api} model={info?.model} report={reportAt("top")} />
            <OutcomeBox outcome={outcomeAt("top")} />
            <Conversation messages={messages} answerId={selected?.messageId} />
          </div>
          <SubmissionTable picture={picture} prompts={prompts} selectedId={submissionId} onSelect={select} />
          <Detail
            api={api}
            head={head}
            submissionId={submissionId}
            submission={selected}
            prompt={submissionId === undefined ? undefined : prompts.get(submissionId)}
            outcome={outcomeAt("detail")}
            onClose={() => look(undefined)}
            onRemoved={() => go({ submissionId: undefined })}
            report={reportAt("detail")}
          />
        </main>
      )}
    </>
  );
}
