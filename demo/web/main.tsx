// Puts the console on the page.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import "./style/base.css";
import "./style/layout.css";
import "./style/parts.css";
import "./style/log.css";
import "./style/chat.css";

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
