/** Takes files and folders that are dropped anywhere on the page. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { openPicked } from "../store/open.ts";
import { attempt } from "../store/store.ts";
import { useStore } from "../store/use-store.ts";
import { fromDrop } from "../workspace/picked-files.ts";

/** Draws the veil that says where to drop, while something is held over the page. */
export function DropZone() {
  const store = useStore();
  const isOver = useSignal(false);
  useEffect(() => {
    const isFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent): void => {
      if (!isFiles(event)) return;
      event.preventDefault();
      isOver.value = true;
    };
    const leave = (event: DragEvent): void => {
      // Leaving one element for another is no leaving; leaving the page has no element to go to.
      if (event.relatedTarget === null) isOver.value = false;
    };
    const drop = (event: DragEvent): void => {
      isOver.value = false;
      if (!isFiles(event) || event.dataTransfer === null) return;
      event.preventDefault();
      attempt(store, openPicked(store, fromDrop(event.dataTransfer)));
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [store, isOver]);
  if (!isOver.value) return null;
  return (
    <div class="veil">
      <p>Drop files or a folder to open them here</p>
    </div>
  );
}
