// The page: what is looked at, what was last done, and the panes that show it.
import { useCallback, useMemo, useState } from "react";
import { apiOf } from "./api.ts";
import { Conversation } from "./components/conversation.tsx";
import { Detail } from "./components/detail.tsx";
import { Header } from "./components/header.tsx";
import { type Outcome, OutcomeBox } from "./components/outcome.tsx";
import { SubmissionTable } from "./components/submission-table.tsx";
import { SubmitForm } from "./components/submit-form.tsx";
import { useAddress } from "./live/use-address.ts";
import { usePicture } from "./live/use-picture.ts";
import { promptsOf, rememberPrompt } from "./prompts.ts";

/** There the chosen submission is shown below the table, out of sight. */
const ONE_COLUMN = "(max-width: 759px)";

export function App() {
  const [{ agent, submissionId }, go] = useAddress();
  const api = useMemo(() => apiOf(agent), [agent]);
  const { picture, poke } = usePicture(api);
  const [outcome, setOutcome] = useState<Outcome>();

  const report = useCallback(
    (next: Outcome) => {
      if (next.kind === "receipt") {
        if (next.receipt.accepted) rememberPrompt(next.receipt.submissionId, next.text);
        go({ submissionId: next.receipt.submissionId });
      }
      setOutcome(next);
      poke();
    },
    [poke, go],
  );
  const onAgent = (name: string) => {
    setOutcome(undefined);
    go({ agent: name, submissionId: undefined });
  };

  const select = (id: string) => {
    go({ submissionId: id === submissionId ? undefined : id });
    if (window.matchMedia(ONE_COLUMN).matches) document.getElementById("detail-title")?.scrollIntoView();
  };

  const { submissions, messages, head, info } = picture;
  const prompts = useMemo(() => promptsOf(submissions, messages), [submissions, messages]);
  const selected = submissions.find((submission) => submission.submissionId === submissionId);

  return (
    <>
      <Header api={api} agent={agent} picture={picture} onAgent={onAgent} report={report} />
      <main>
        <div className="column">
          <SubmitForm api={api} model={info?.model} report={report} />
          <OutcomeBox outcome={outcome} />
          <Conversation messages={messages} answerId={selected?.messageId} />
        </div>
        <SubmissionTable picture={picture} prompts={prompts} selectedId={submissionId} onSelect={select} />
        <Detail
          api={api}
          head={head}
          submissionId={submissionId}
          submission={selected}
          prompt={submissionId === undefined ? undefined : prompts.get(submissionId)}
          onClose={() => go({ submissionId: undefined })}
          report={report}
        />
      </main>
    </>
  );
}
