/** The public surface of `holdall/worker`: any backend at the other side of a port or an HTTP server. */

export { type Authorize, bearerToken } from "./authorize.ts";
export type { ClientOptions } from "./client.ts";
export type { CorsOptions } from "./cors.ts";
export type { FetchLike, HeadersSource, RemoteRetryOptions } from "./http-exchange.ts";
export type { HttpLimits } from "./http-request.ts";
export type { KeptChange, KeptOutcome, KeyStore } from "./key-store.ts";
export { type PortBackendOptions, type PortConnector, portBackend } from "./port-backend.ts";
export type { NodePort, PortLike, WebPort } from "./port-like.ts";
export { type RemoteBackendOptions, remoteBackend } from "./remote-backend.ts";
export { type BackendHandler, type ServeBackendOptions, serveBackend } from "./serve-backend.ts";
export { type PortServer, type ServePortOptions, servePort } from "./serve-port.ts";
export type { ServiceOptions } from "./service.ts";
