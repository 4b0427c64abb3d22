// The page's address holds what is looked at (agent, page, submission or workflow), so that a reload or a link shows the same.
import { useCallback, useEffect, useState } from "react";

export type Address = { agent: string; submissionId: string | undefined; page: Page; workflowId: string | undefined };

export const PAGES = ["submissions", "workflows", "schedules", "chat"] as const;

export type Page = (typeof PAGES)[number];

export function useAddress(): [Address, (changes: Partial<Address>) => void] {
  const [address, setAddress] = useState(read);

  useEffect(() => {
    const onChange = () => setAddress(read());
    window.addEventListener("popstate", onChange);
    return () => window.removeEventListener("popstate", onChange);
  }, []);

  const go = useCallback((changes: Partial<Address>) => {
    const { agent, submissionId, page, workflowId } = { ...read(), ...changes };
    const query = new URLSearchParams({
      ...(agent !== "default" && { agent }),
      ...(submissionId !== undefined && { submission: submissionId }),
      ...(page !== "submissions" && { page }),
      ...(workflowId !== undefined && { workflow: workflowId }),
    }).toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
    setAddress({ agent, submissionId, page, workflowId });
  }, []);
  return [address, go];
}

function read(): Address {
  const query = new URLSearchParams(location.search);
  return {
    agent: query.get("agent") || "default",
    submissionId: query.get("submission") ?? undefined,
    page: PAGES.find((page) => page === query.get("page")) ?? "submissions",
    workflowId: query.get("workflow") ?? undefined,
  };
}
