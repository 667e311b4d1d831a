/** The worker that {@link startWebWorker} starts. */

import { servePdf } from "./serve-pdf.ts";

// The library takes whatever a worker hears and says as its own; so all is said through a port.
self.addEventListener("message", (event: Event) => {
  const port = event instanceof MessageEvent ? event.ports[0] : undefined;
  if (port === undefined) return;
  servePdf({
    post: (data) => port.postMessage(data),
    listen: (listener) => {
      port.onmessage = ({ data }) => listener(data);
    },
  });
});
