import { testWorkerDeath } from "./worker-death.ts";

const of = (worker: Worker) => ({ port: worker, kill: () => worker.terminate() });

testWorkerDeath(
  () => of(new Worker(new URL("./worker-web.ts", import.meta.url), { type: "module" })),
  () => of(new Worker(URL.createObjectURL(new Blob(["const ="], { type: "text/javascript" })), { type: "module" })),
  false,
);
