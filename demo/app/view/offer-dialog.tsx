/** Asks what shall happen to the open files when others were picked. */
import { takeOffer } from "../store/open.ts";
import { attempt } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { count } from "../text/format.ts";
import { Modal } from "./modal.tsx";

/** Draws the question, while there is one. */
export function OfferDialog() {
  const store = useStore();
  const offer = store.offer.value;
  if (offer === undefined) return null;
  const changed = [...store.statuses.value.values()].filter((status) => status !== "same").length;
  const take = (choice: "add" | "replace" | "cancel") => () => attempt(store, takeOffer(store, choice));
  return (
    <Modal labelledBy="offer-title" onCancel={take("cancel")}>
      <h2 id="offer-title" tabIndex={-1}>
        Open {offer.isSample ? "the sample" : count(offer.files.size, "file")}
      </h2>
      <p>
        {store.workspace.value.name} is open
        {changed > 0 && `, with ${count(changed, "changed file")}`}. Replacing it forgets its files and the
        conversation.
      </p>
      <div class="modal-actions">
        {!offer.isSample && (
          <button type="button" class="button main" onClick={take("add")}>
            Add to it
          </button>
        )}
        <button type="button" class="button" onClick={take("replace")}>
          Replace it
        </button>
        <button type="button" class="button" onClick={take("cancel")}>
          Cancel
        </button>
      </div>
    </Modal>
  );
}
