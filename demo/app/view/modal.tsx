/** A native modal dialog: the browser keeps the focus in it and gives it back afterwards. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** What a modal needs. */
export interface ModalProps {
  /** The id of the heading that names it. */
  labelledBy: string;
  className?: string;
  /** Called for Escape. */
  onCancel(): void;
  children: ComponentChildren;
}

/** Draws a modal for as long as it is part of the page. */
export function Modal({ labelledBy, className = "", onCancel, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    // The heading, not a button: a key that was meant for something else must not answer.
    element?.querySelector("h2")?.focus();
    return () => element?.close();
  }, []);
  const cancel = (event: Event): void => {
    event.preventDefault();
    onCancel();
  };
  return (
    <dialog ref={dialog} class={`modal ${className}`} aria-labelledby={labelledBy} onCancel={cancel}>
      {children}
    </dialog>
  );
}
