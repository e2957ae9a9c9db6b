import "./look/base.css";
import "./look/theme";
import "./settings/prose";
import "./words";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queries } from "./api/queries";
import { App } from "./app";

// After an upgrade the pieces of the page before are gone: the page is loaded anew, once.
addEventListener("vite:preloadError", (event) => {
  const LOADED = "qingyu.reloaded";
  if (sessionStorage.getItem(LOADED)) return;
  sessionStorage.setItem(LOADED, "yes");
  event.preventDefault();
  location.reload();
});

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
