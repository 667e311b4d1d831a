/** Starts the page. */
import { render } from "preact";
import { startStore } from "./store/open.ts";
import { applyTheme } from "./store/settings.ts";
import { StoreProvider } from "./store/use-store.ts";
import { App } from "./view/app.tsx";

const root = document.getElementById("app");
if (root === null) throw new Error("The page has no element with the id app.");

const store = await startStore();
applyTheme(store.theme.value);
render(
  <StoreProvider value={store}>
    <App />
  </StoreProvider>,
  root,
);
