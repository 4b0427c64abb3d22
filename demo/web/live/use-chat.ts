// The chat with one agent over its WebSocket: the stock hooks, the browser's own tools, and how the line is.
import { useAgentChat } from "agents/chat/react";
import { useAgent } from "agents/react";
import { useState } from "react";
import { clientTool, clientTools } from "../client-tools.ts";

export type Line = "connecting" | "connected" | "reconnecting";

export type Chat = ReturnType<typeof useAgentChat> & { line: Line; busy: boolean };

/** Suspends until the conversation so far is there. */
export function useChat(agentName: string): Chat {
  const [line, setLine] = useState<Line>("connecting");
  const agent = useAgent({
    agent: "DemoAgent",
    name: agentName,
    onOpen: () => setLine("connected"),
    onClose: () => setLine("reconnecting"),
  });
  const chat = useAgentChat({
    agent,
    tools: clientTools,
    // The server's conversation is a tree; the list in the page is one path of it.
    syncMessagesToServer: false,
    onToolCall: ({ toolCall: { toolCallId, toolName }, addToolOutput }) => {
      const tool = clientTool(toolName);
      if (tool) addToolOutput({ toolCallId, output: tool.execute() });
    },
  });
  return { ...chat, line, busy: chat.status === "submitted" || chat.isStreaming || chat.isRecovering };
}
