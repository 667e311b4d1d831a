/** Hands the store to the components. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Store } from "./store.ts";

const StoreContext = createContext<Store | undefined>(undefined);

/** Gives the store to everything below. */
export const StoreProvider = StoreContext.Provider;

/** Gives the store of the page. */
export function useStore(): Store {
  const store = useContext(StoreContext);
  if (store === undefined) throw new Error("A component stands outside of StoreProvider.");
  return store;
}
